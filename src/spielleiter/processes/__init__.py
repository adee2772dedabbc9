"""Programs: start them, hear what they say, limit them, end them with everything they started."""
