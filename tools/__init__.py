"""Programs for people who work on this project; nobody who uses it needs them."""
