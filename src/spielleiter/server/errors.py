"""The errors of a server, which say why it cannot start and why it does not do what is asked."""

from __future__ import annotations


class ServerError(Exception):
    """Raised when the server cannot start. The message says why and what to do."""


class Refusal(Exception):
    """Raised when a request is not granted. ``message`` is what the error packet says."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
