"""Exit codes that explain themselves, the base of those of bots and of commands.

It stands beside the folders because the commands load without the SDK, and the SDK without them.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class ExplainedCode(IntEnum):
    """An exit code with the ``meaning`` that the help tells. Each program lists its own codes."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        self = int.__new__(cls, code)
        self._value_ = code
        self.meaning = meaning
        return self

    @classmethod
    def explain_all(cls) -> str:
        """Return a line for each code, indented, as the help shows them."""
        return "\n".join(f"  {code:<4d} {code.meaning}" for code in cls)
