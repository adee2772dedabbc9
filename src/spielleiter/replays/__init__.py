"""Recorded games: written as the official servers write them, read from whatever they wrote."""

from spielleiter.replays.record import GameRecord, Shown

__all__ = ["GameRecord", "Shown"]
