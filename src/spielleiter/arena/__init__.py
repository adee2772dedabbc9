"""Matches between programs: who they are, how they are started, one game from start to result."""
