"""Seat a bot at a table in this process, with the same hooks, clocks and verdicts as on a server.

What is done with a bot that fails or hangs is left to those who derive from it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from spielleiter.client.bot import BotLike, make_bot, name_of, overrides
from spielleiter.client.clock import MoveClock
from spielleiter.client.session import cut_hints
from spielleiter.client.thinker import Decision, Thinker
from spielleiter.match import Answer, Complain, Departure, Seat
from spielleiter.rules import AnyGame, AnyState, Clock, Outcome
from spielleiter.wire.wording import PlainWording, SeasonWording

T = TypeVar("T")


class Timeline:
    """The time of a match as it would run if the bots were programs that work at the same time.

    In one process they work one after the other. What a bot does in its hooks while the opponent
    is asked costs it nothing on a server, as long as it is done when its own turn comes.
    """

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = 0.0


class BotSeat(Seat):
    """One bot at the table. It is used for one match.

    ``say`` gets what the author of the bot must read. ``seconds`` is what a move may take.
    """

    def __init__(
        self,
        bot: BotLike,
        seed: int | None,
        seconds: float,
        say: Callable[[str], None],
        *,
        name: str = "",
        timeline: Timeline | None = None,
    ) -> None:
        self.name = name or name_of(bot)
        self.number = 0
        self.thinker: Thinker | None = None
        self._bot = bot
        self._seed = seed
        self._seconds = seconds
        self._say = say
        self._called = name
        self._timeline = Timeline() if timeline is None else timeline
        self._free_at = 0.0
        """When the bot is done with what it was shown, on the timeline."""
        self._sees = True
        """Whether the bot wants to see positions."""
        self.wording: PlainWording | None = None
        """What the referee of the match words its decisions with."""

    # What the table calls

    def join(self, number: int) -> None:
        self.number = number
        self.let(self._make, self._seconds, " while it was made")

    def start(self, state: AnyState) -> None:
        self._tell(lambda thinker: thinker.start(self.number, state))

    def show(self, state: AnyState) -> None:
        if self._sees:
            self._tell(lambda thinker: thinker.show(state))

    def ask(self, state: AnyState) -> Answer:
        timeline = self._timeline
        late = self._free_at - timeline.now
        clock = self.make_clock(max(0.0, late))
        return self.account(state, self.think(state, clock))

    def account(self, state: AnyState, decision: Decision) -> Answer:
        """Return a decision as an answer, after its time is counted and what was noted is kept."""
        timeline = self._timeline
        seconds = decision.seconds
        timeline.now += seconds
        self._free_at = timeline.now
        self.keep(state, decision)
        if seconds > self._seconds:
            self.say_late(
                seconds,
                f"{self.name} took {seconds:.2f} s in turn {state.turn}; "
                f"{self._seconds:g} s are allowed",
            )
        hints = self.sent_hints(decision) if decision.hints else ()
        return Answer(decision.move, seconds, hints, decision.after)

    def complain(self, complaint: Complain) -> None:
        text = self.describe_complaint(complaint)
        self._tell(lambda thinker: thinker.complain(text))

    def finish(self, outcome: Outcome) -> None:
        if self.thinker is not None:
            self._tell(lambda thinker: thinker.finish(outcome))

    def decide(self, state: AnyState, clock: Clock) -> Decision:
        """Ask the bot itself."""
        thinker = self.thinker
        assert thinker is not None
        # The request follows the position at once: what the bot does with it is within its time.
        if self._sees:
            thinker.show(state)
        return thinker.decide(state, clock)

    # What those who derive from it may change

    def let(self, task: Callable[[], T], seconds: float, where: str) -> T:  # noqa: ARG002
        """Let the bot do something, for which it has ``seconds``.

        Raises SeatLeft or SeatStuck if there is no going on.
        """
        return task()

    def think(self, state: AnyState, clock: Clock) -> Decision:
        """Let the bot find a move. Raises what ``let`` raises."""
        where = f" in turn {state.turn}"
        return self.let(lambda: self.decide(state, clock), clock.remaining, where)

    def make_clock(self, used: float) -> Clock:
        """Return the clock of a move of which ``used`` seconds are gone already."""
        return MoveClock(self._seconds, time.perf_counter() - used)

    def keep(self, state: AnyState, decision: Decision) -> None:
        """Keep what the bot noted beside a move."""

    def say_late(self, seconds: float, text: str) -> None:  # noqa: ARG002
        """Tell the author that a move took so many seconds, which is too many."""
        self._say(f"!!! {text}")

    def sent_hints(self, decision: Decision) -> tuple[str, ...]:
        """Return the hints that go with the move, of which the bot has given some."""
        return decision.hints

    def describe_complaint(self, complaint: Complain) -> str:
        """Return what a server would tell the bot about its move."""
        violation = complaint.violation
        if isinstance(self.wording, SeasonWording):
            return self.wording.complaint(
                self.number,
                complaint.move,
                violation=violation,
                how=complaint.how,
                expected=self.number,
                to_offender=True,
            )
        return "" if violation is None else violation.text.de

    # Inside

    def _make(self) -> None:
        bot = make_bot(self._bot, self._seed)
        self.thinker = Thinker(bot, self._say, self._called)
        self._sees = overrides(bot, "on_state")

    def _tell(self, hook: Callable[[Thinker], None]) -> None:
        thinker = self.thinker
        assert thinker is not None
        began = time.perf_counter()
        self.let(lambda: hook(thinker), self._seconds, " in a hook")
        self._free_at = max(self._free_at, self._timeline.now) + time.perf_counter() - began


def way_to_leave(game: AnyGame) -> Departure:
    """Return how a bot leaves that ends in an orderly way, as ``PlayerSession.goodbye`` does it."""
    codec = next(iter(game.codecs.values()), None)
    if codec is not None and codec.dialect.client_says_close:
        return Departure.RECEIVED_DISCONNECT
    return Departure.LOST_CONNECTION


def sends_hints(game: AnyGame) -> bool:
    """Return whether hints reach a server of our own with a move."""
    codec = next(iter(game.codecs.values()), None)
    return codec is not None and (codec.hints_allowed or codec.dialect.hints_documented)


def hints_on_our_server(game: AnyGame, decision: Decision) -> tuple[str, ...]:
    """Return the hints that reach a server of our own with a move, cut as they are sent."""
    return tuple(cut_hints(decision.hints)) if decision.hints and sends_hints(game) else ()
