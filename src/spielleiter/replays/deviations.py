"""What official servers of every game are known to do differently around a match.

What concerns one game is in its folder, see ``Game.deviations``. Each entry names its ruling
(docs/rulings.md).
"""

from __future__ import annotations

from typing import Any

from spielleiter.match import TimeControl
from spielleiter.rules import Cause, Outcome
from spielleiter.wire.codec import Codec

HARD_AS_SOFT = "21.4.0 reports a hard timeout as SOFT_TIMEOUT (W83)"


def explain_cause(codec: Codec[Any, Any], found: Outcome, names: tuple[str, ...]) -> str | None:
    """Return why a result gives a cause that the reason beside it contradicts, or None."""
    dialect = codec.dialect
    for seat, line in enumerate(found.seats):
        said = dialect.hard_timeout_reason(dialect.called(seat, names[seat]), TimeControl().hard).de
        if line.cause is Cause.SOFT_TIMEOUT and line.reason.de == said:
            return HARD_AS_SOFT
    return None
