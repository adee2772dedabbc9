"""Start programs, hear what they say, talk to them, and end them with everything they started."""
