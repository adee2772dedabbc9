"""Judge one match in a process of its own, so that whoever started it is not slowed down.

``python -P -m spielleiter.engine.program`` reads an order from its standard input and writes a line
for each position that is judged. It takes only the time of the processor that nobody else wants.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from spielleiter.engine.analyser import Analyser
from spielleiter.engine.patience import PatientThinker, Thinker
from spielleiter.engine.review import Reviewer
from spielleiter.engine.sentences import explain_review
from spielleiter.engine.telling import tell_estimate, tell_move, tell_text
from spielleiter.games import get_game
from spielleiter.rules import AnyState, Cause, GameError, Outcome, SeatOutcome, Text
from spielleiter.rules.engine import EngineError
from spielleiter.rules.text import NO_TEXT

_WINDOWS_IDLE = 0x40
"""What Windows calls the class of processes that run when nobody else wants to."""

Say = Callable[[Mapping[str, Any]], None]


def format_order(
    states: Sequence[AnyState], seconds: float, names: Sequence[str], outcome: Outcome | None
) -> Iterator[str]:
    """Yield the lines of an order: one about the match, then one for each position."""
    game = states[0].game
    head = {
        "game": game.id,
        "seconds": seconds,
        "count": len(states),
        "names": list(names),
        "outcome": None if outcome is None else _tell_outcome(outcome),
    }
    yield json.dumps(head)
    for state in states:
        yield json.dumps(game.format_position(state))


def _tell_outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "winner": outcome.winner,
        "code": outcome.code,
        "seats": [[line.points, line.parts, line.cause.value] for line in outcome.seats],
    }


def _read_outcome(told: Mapping[str, Any]) -> Outcome:
    seats = tuple(
        SeatOutcome(points, tuple(parts), Cause(cause)) for points, parts, cause in told["seats"]
    )
    return Outcome(seats, told["winner"], told["code"], NO_TEXT)


def review_order(lines: TextIO, say: Say, thinker: Thinker) -> None:
    """Judge the match that the lines of an order describe, and say what came of it."""
    head = json.loads(lines.readline())
    game = get_game(head["game"])
    states = [game.parse_position(json.loads(lines.readline())) for _ in range(head["count"])]
    outcome = None if head["outcome"] is None else _read_outcome(head["outcome"])
    reviewer = Reviewer(states, thinker, head["seconds"])
    say({"total": reviewer.total, "slips": list(thinker.slips(game))})
    for index in reviewer.run():
        review = reviewer.review()
        move = review.moves[index - 1] if index else None
        say(
            {
                "index": index,
                "position": tell_estimate(review.estimates[index]),
                "move": tell_move(game, move),
            }
        )
    review = reviewer.review()
    sentences = explain_review(review, head["names"], outcome)
    say(
        {
            "sentences": [tell_text(one) for one in sentences],
            "problems": [tell_text(one) for one in review.problems],
        }
    )


def give_way() -> None:
    """Let everybody else on this machine run first, as far as the system knows how."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), _WINDOWS_IDLE)
        return
    with contextlib.suppress(OSError):
        os.nice(19)
    # Beside a nice value of 19 a busy process still gets 1.5 % of a core, and may keep a thread
    # that wakes up waiting for a moment. An idle one does neither.
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _end_with_parent(lines: TextIO) -> None:
    """End this process when nobody listens to it any more."""
    lines.read()
    os._exit(0)


def main() -> None:
    """Take an order, do it, and end. What cannot be done is said in both languages."""
    give_way()
    answers = sys.stdout
    sys.stdout = sys.stderr  # whatever else is printed is not an answer

    def say(value: Mapping[str, Any]) -> None:
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    order = _read_order(sys.stdin)
    threading.Thread(target=_end_with_parent, args=(sys.stdin,), daemon=True).start()
    try:
        review_order(order, say, PatientThinker(Analyser()))
    except EngineError as error:
        said = [error.text, error.hint]
        parts = [part for part in said if part != NO_TEXT]
        say({"error": _joined(parts)})
    except GameError as error:
        say({"error": tell_text(Text(str(error), str(error)))})
    os._exit(0)  # without waiting for the thread that reads


def _read_order(lines: TextIO) -> TextIO:
    """Return the lines of an order, and leave what follows."""
    import io

    head = lines.readline()
    count = json.loads(head)["count"]
    return io.StringIO(head + "".join(lines.readline() for _ in range(count)))


def _joined(parts: Sequence[Text]) -> dict[str, str]:
    return {"de": " ".join(one.de for one in parts), "en": " ".join(one.en for one in parts)}


if __name__ == "__main__":
    main()
