"""The error that says why a server cannot start."""

from __future__ import annotations


class ServerError(Exception):
    """Raised when the server cannot start. The message says why and what to do."""
