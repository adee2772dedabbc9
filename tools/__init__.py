"""Programs for people who work on this project. Nobody who uses it needs them."""
