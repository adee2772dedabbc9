"""Spielleiter: referee server, player SDK and arena for the Software-Challenge Germany."""

__version__ = "0.1.0"
