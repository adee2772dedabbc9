"""Name the environment variables that a bot reads and that whoever starts a bot sets."""

from __future__ import annotations

from spielleiter.games import VARIABLE

MOVE_SECONDS = "SPIELLEITER_MOVE_SECONDS"
NOTES = "SPIELLEITER_NOTES"
OWN_SERVER = "SPIELLEITER_SERVER"
DEBUG = "SPIELLEITER_DEBUG"
NAME = "SPIELLEITER_NAME"
IMPORT_ONLY = "SPIELLEITER_IMPORT_ONLY"
GAME = VARIABLE
