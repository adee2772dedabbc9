"""Start programs, hear what they say, limit them, and end them with everything they started."""
