"""Show a game in a terminal as the board grows, with clocks and scores, or as plain lines where
nobody looks.

It draws what it is given. What the board looks like is up to the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from spielleiter.arena.arena_match import WatchedPosition
from spielleiter.arena.thoughts import MOST_LINES, Thoughts
from spielleiter.cli.layout import compose, fold, is_whole
from spielleiter.match import MoveRecord
from spielleiter.rules import AnyGame, AnyState, one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

Say = Callable[[str], None]

FALLBACK = "!!! fallback"
"""Marks a move that was not what the bot had chosen."""
_PANEL_NOTES = 6
"""Lines beside the board for what a bot thought."""


class Screen(Protocol):
    """Shows one game."""

    def show(self, watched: WatchedPosition) -> None: ...
    def tick(self, seconds: float, limit: float | None) -> None:
        """Show that the seat to move has been thinking for so long, and loses after ``limit``."""

    def close(self, *, finished: bool) -> None: ...


@dataclass(slots=True)
class SeatClock:
    """The times of one seat's moves."""

    moves: int = 0
    last: float = 0.0
    slowest: float = 0.0
    fallbacks: int = 0
    """Moves that were not what the bot had chosen."""

    def add(self, seconds: float) -> None:
        self.moves += 1
        self.last = seconds
        self.slowest = max(self.slowest, seconds)


@dataclass(slots=True)
class Clocks:
    """The clocks of all seats, fed with moves."""

    seats: list[SeatClock] = field(default_factory=lambda: [SeatClock(), SeatClock()])

    def add(self, move: MoveRecord | None, thoughts: Thoughts | None = None) -> None:
        if move is not None:
            self.seats[move.seat].add(move.seconds)
            self.seats[move.seat].fallbacks += thoughts is not None and thoughts.is_fallback


def format_score(state: AnyState, seat: int) -> str:
    """Say how a seat stands in the game's own numbers, as ``45``, or ``12/56`` where there are
    several.
    """
    return "/".join(str(part) for part in state.outcome().scores[seat])


def thought_lines(watched: WatchedPosition, most: int = MOST_LINES) -> list[str]:
    """Return what the bot kept beside its move.

    A bot without notes has the hints that came with the move.
    """
    if watched.thoughts is not None:
        return watched.thoughts.lines(most)
    hints = () if watched.move is None else watched.move.hints
    return Thoughts(0, hints=hints).lines(most)


def format_time(seconds: float) -> str:
    """Return the time of a move as it is shown, to the millisecond."""
    return f"{seconds:.3f} s"


class Nothing:
    """Show nothing, for ``--watch none``."""

    def show(self, watched: WatchedPosition) -> None:
        pass

    def tick(self, seconds: float, limit: float | None) -> None:
        pass

    def close(self, *, finished: bool) -> None:
        pass


class PlainScreen:
    """Show one short line per move and the board at the end, for files, pipes and screen readers.

    With ``notes`` what the bot thought follows its move.
    """

    def __init__(self, game: AnyGame, say: Say, *, notes: bool = False) -> None:
        self._game = game
        self._say = say
        self._notes = notes
        self._last: WatchedPosition | None = None

    def show(self, watched: WatchedPosition) -> None:
        self._last = watched
        move = watched.move
        if move is None:
            return
        width = max(len(name) for name in watched.names)
        name = one_line(watched.names[move.seat])
        text = self._game.format_move(move.move)
        scores = " : ".join(format_score(watched.state, seat) for seat in range(self._game.seats))
        mark = (
            f"  {FALLBACK}" if watched.thoughts is not None and watched.thoughts.is_fallback else ""
        )
        self._say(
            f"{move.turn:3}  {name:<{width}}  {text:<30}  {format_time(move.seconds):>9}  "
            f"{scores}{mark}"
        )
        if self._notes:
            for line in thought_lines(watched):
                self._say(f"       {line}")

    def tick(self, seconds: float, limit: float | None) -> None:
        pass

    def close(self, *, finished: bool) -> None:
        if self._last is not None and finished:
            self._say("")
            self._say(self._game.picture(self._last.state))


class LiveScreen:
    """The board in colour, drawn anew with every move in the same place.

    With ``notes`` there is room for what a bot thought: it stays until there is something new.
    """

    def __init__(self, game: AnyGame, console: Console, *, notes: bool = False) -> None:
        from rich.live import Live

        self._game = game
        self._console = console
        self._clocks = Clocks()
        self._notes = [""] * (_PANEL_NOTES + 1) if notes else []
        self._watched: WatchedPosition | None = None
        self._is_whole = True
        self._live: Live = Live(console=console, auto_refresh=False)
        self._live.start()

    def show(self, watched: WatchedPosition) -> None:
        self._clocks.add(watched.move, watched.thoughts)
        if (
            self._notes
            and watched.move is not None
            and (said := thought_lines(watched, _PANEL_NOTES))
        ):
            title = f"{one_line(watched.names[watched.move.seat])}, turn {watched.move.turn}:"
            self._notes = [title, *said, *[""] * (_PANEL_NOTES - len(said))]
        self._watched = watched
        self._draw(watched)

    def tick(self, seconds: float, limit: float | None) -> None:
        if self._watched is not None and not self._watched.state.is_over:
            self._draw(
                self._watched,
                f"{seconds:.1f} s" if limit is None else f"{seconds:.1f} of {limit:g} s",
            )

    def _draw(self, watched: WatchedPosition, thinking: str = "") -> None:
        from rich.console import Group
        from rich.text import Text

        picture = self._picture(watched)
        panel, short = (
            [
                Text.from_markup(line)
                for line in panel_lines(watched, self._clocks, thinking, short=short)
            ]
            for short in (False, True)
        )
        notes = [Text(f"  {line}") for line in self._notes]
        size = self._console.size
        width, height = size.width, size.height - 1
        lines = compose(picture, panel, width, height, notes)
        self._is_whole = is_whole(picture, lines, width)
        if not self._is_whole:
            folded = fold(picture, width)
            for beside in (panel, short):
                other = compose(folded, beside, width, height, notes)
                if is_whole(folded, other, width):
                    lines, self._is_whole = other, True
                    break
        for line in lines:
            line.no_wrap, line.overflow = True, "crop"
        self._live.update(Group(*lines), refresh=True)

    def _picture(self, watched: WatchedPosition) -> list[Text]:
        from rich.text import Text

        color = not self._console.no_color
        return [
            Text.from_ansi(line)
            for line in self._game.picture(watched.state, color=color).split("\n")
        ]

    def close(self, *, finished: bool) -> None:
        """Leave the board that is there already.

        If the screen was too small for it, it comes again below as a whole.
        """
        self._live.stop()
        if finished and self._watched is not None and not self._is_whole:
            for line in self._picture(self._watched):
                self._console.print(line, soft_wrap=True)


def panel_lines(
    watched: WatchedPosition, clocks: Clocks, thinking: str = "", *, short: bool = False
) -> list[str]:
    """Format both players with their scores and clocks, and the last move, as rich markup.

    ``short`` takes a line for each player.

    ``thinking`` is how long the seat to move has been thinking.
    """
    from rich.markup import escape

    state, game = watched.state, watched.state.game
    lines = []
    for seat, name in enumerate(watched.names):
        is_next = seat == state.seat and not state.is_over
        mark = "[bold]>[/bold]" if is_next else " "
        clock = clocks.seats[seat]
        player = f"{mark} [bold]{escape(one_line(name))}[/bold]"
        score = f"[bold]{format_score(state, seat):>4}[/bold]"
        last = thinking if is_next and thinking else format_time(clock.last) if clock.moves else ""
        if short:
            lines.append(f"{player}  {score}  [dim]{last}[/dim]")
            continue
        slowest = f"slowest {format_time(clock.slowest)}" if clock.moves else ""
        lines.append(f"{player}  {escape(str(game.seat_names[seat]))}")
        lines.append(f"  {score}  [dim]{', '.join(filter(None, (last, slowest)))}[/dim]")
        if clock.fallbacks:
            lines.append(
                f"  [bold red]!!! {clock.fallbacks} fallback "
                f"{'move' if clock.fallbacks == 1 else 'moves'}[/]"
            )
    if watched.move is not None and not short:
        lines += ["", f"  {escape(game.format_move(watched.move.move))}"]
    return lines
