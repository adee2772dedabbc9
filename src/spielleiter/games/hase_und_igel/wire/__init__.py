"""How this game is written on the wire, season by season."""
