"""Everything that can be wrong with what somebody hands to a game.

    GameError
    ├── RuleViolation      a move that the rules forbid; names the rule
    ├── NotationError      a text for a move or position that cannot be read; names what and where
    ├── PositionError      a position whose parts contradict each other; says which
    └── UnknownGame        no such game, season or variant; lists those there are

The wire adds CodecError, and recordings add ReplayError (``wire.errors``).

No state is ever half changed. Whoever catches one of these still holds the state as it was.
"""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.rules.text import Text

_SHOWN = 60
"""Characters of a wrong name that an error repeats."""


class GameError(Exception):
    """Root of all errors the rules raise about their input."""


class RuleViolation(GameError):
    """A move that is not legal.

    ``rule`` is a stable upper-case name of the rule broken (``NO_SHARED_CORNER``), ``text`` says it
    in words a pupil understands: German as the official server phrases it where it does, and
    English.
    """

    def __init__(self, rule: str, text: Text) -> None:
        super().__init__(f"{text.en} [{rule}]")
        self.rule = rule
        self.text = text


class NotationError(GameError):
    """A text that cannot be read.

    It holds ``what`` it should be, the ``text`` itself, where it is wrong and why.
    """

    def __init__(self, what: str, text: str, reason: str, at: int | None = None) -> None:
        shown = text if len(text) <= 60 else text[:57] + "..."
        place = "" if at is None else f" at character {at + 1}"
        super().__init__(f"cannot read {shown!r} as a {what}{place}: {reason}")
        self.what = what
        self.text = text
        self.reason = reason
        self.at = at


class PositionError(GameError):
    """A position that cannot be. The message says which of its parts contradict each other.

    Notation and wire turn it into their own errors, which name the text or element at fault.
    """


class UnknownGame(GameError):
    """A game, season or variant that does not exist. ``source`` is where its name was found."""

    def __init__(self, name: str, known: Iterable[str], source: str = "") -> None:
        self.name = name
        self.known = tuple(known)
        self.source = source
        place = f"{source}: " if source else ""
        shown = name if len(name) <= _SHOWN else name[: _SHOWN - 3] + "..."
        super().__init__(f"{place}there is no game {shown!r}; there are: {', '.join(self.known)}")
