"""Matches of the engine against Blokus programs that speak the Go Text Protocol."""
