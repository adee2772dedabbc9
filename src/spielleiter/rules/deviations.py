"""Where a game's official servers are known to differ from its rules.

Recordings of such a server are not wrong for it. A game that knows of none takes this class as it
is; the others extend it in ``games/<game>/deviations.py``.
"""

from __future__ import annotations

from typing import Any

from spielleiter.rules.outcome import Outcome


class Deviations:
    """Explains what a recording shows and the rules do not. This one explains nothing.

    ``revision`` is that of the codec that read the recording, since servers of one revision err
    alike. Every explanation names its ruling (docs/rulings.md).
    """

    def explain_step(self, revision: str, before: Any, after: Any) -> list[str] | None:  # noqa: ARG002
        """Return why ``after`` was recorded although the rules lead elsewhere from ``before``.

        None if no official server is known for it. An empty list says that both agree.
        """
        return None

    def explain_outcome(
        self,
        revision: str,  # noqa: ARG002
        expected: Outcome,  # noqa: ARG002
        found: Outcome,  # noqa: ARG002
        *,
        over: bool,  # noqa: ARG002
    ) -> str | None:
        """Return why ``found`` was recorded as the result and not ``expected``, or None.

        ``over`` says whether the position was the end of the match.
        """
        return None


NO_DEVIATIONS = Deviations()
