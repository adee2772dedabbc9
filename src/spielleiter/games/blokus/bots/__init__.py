"""The house bots of this game, and what they look at."""
