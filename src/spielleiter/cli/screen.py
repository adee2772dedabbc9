"""A game as it is seen in a terminal: the board as it grows, clocks and scores; or plain lines where nobody looks.

Draws what it is given. What the board looks like is the game's own affair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from spielleiter.arena.game import Sight
from spielleiter.match import MoveRecord
from spielleiter.rules import Game, State
from spielleiter.server.logs import clean_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

Say = Callable[[str], None]

_PANEL = 34
"""Columns that players and clocks need; with a Blokus board that makes 80. Longer names are cut."""


class Screen(Protocol):
    """Shows one game."""

    def show(self, sight: Sight) -> None: ...
    def close(self, *, finished: bool) -> None: ...


@dataclass(slots=True)
class SeatClock:
    """The times of one seat's moves."""

    moves: int = 0
    last: float = 0.0
    slowest: float = 0.0

    def add(self, seconds: float) -> None:
        self.moves += 1
        self.last = seconds
        self.slowest = max(self.slowest, seconds)


@dataclass(slots=True)
class Clocks:
    """The clocks of all seats, fed with moves."""

    seats: list[SeatClock] = field(default_factory=lambda: [SeatClock(), SeatClock()])

    def add(self, move: MoveRecord | None) -> None:
        if move is not None:
            self.seats[move.seat].add(move.seconds)


def format_score(state: State[Any], seat: int) -> str:
    """How a seat stands, in the game's own numbers: ``45``, or ``12/56`` where there are several."""
    return "/".join(str(part) for part in state.outcome().scores[seat])


def format_seconds(seconds: float) -> str:
    return f"{seconds:.3f} s"


class Nothing:
    """Shows nothing: ``--watch none``."""

    def show(self, sight: Sight) -> None:
        pass

    def close(self, *, finished: bool) -> None:
        pass


class PlainScreen:
    """One short line per move, and the board at the end: for files, pipes and screen readers."""

    def __init__(self, game: Game[Any, Any], say: Say) -> None:
        self._game = game
        self._say = say
        self._last: Sight | None = None

    def show(self, sight: Sight) -> None:
        self._last = sight
        move = sight.move
        if move is None:
            return
        width = max(len(name) for name in sight.names)
        name = clean_text(sight.names[move.seat])
        text = self._game.format_move(move.move)
        scores = " : ".join(format_score(sight.state, seat) for seat in range(self._game.seats))
        self._say(f"{move.turn:3}  {name:<{width}}  {text:<30}  {format_seconds(move.seconds):>9}  {scores}")

    def close(self, *, finished: bool) -> None:
        if self._last is not None and finished:
            self._say("")
            self._say(self._game.picture(self._last.state))


class LiveScreen:
    """The board in colour, drawn anew with every move in the same place."""

    def __init__(self, game: Game[Any, Any], console: Console) -> None:
        from rich.live import Live

        self._game = game
        self._console = console
        self._clocks = Clocks()
        self._live: Live = Live(console=console, auto_refresh=False)
        self._live.start()

    def show(self, sight: Sight) -> None:
        from rich.console import Group
        from rich.text import Text

        self._clocks.add(sight.move)
        color = not self._console.no_color
        picture = [Text.from_ansi(line) for line in self._game.picture(sight.state, color=color).split("\n")]
        panel = [Text.from_markup(line) for line in panel_lines(sight, self._clocks)]
        size = self._console.size
        lines = compose(picture, panel, size.width, size.height - 1)
        for line in lines:
            line.no_wrap, line.overflow = True, "crop"
        self._live.update(Group(*lines), refresh=True)

    def close(self, *, finished: bool) -> None:  # noqa: ARG002 - the board is there already
        self._live.stop()


def panel_lines(sight: Sight, clocks: Clocks) -> list[str]:
    """Both players with their scores and clocks, and the last move, as rich markup."""
    from rich.markup import escape

    state, game = sight.state, sight.state.game
    lines = []
    for seat, name in enumerate(sight.names):
        mark = "[bold]>[/bold]" if seat == state.seat and not state.is_over else " "
        clock = clocks.seats[seat]
        lines.append(f"{mark} [bold]{escape(clean_text(name))}[/bold]  {escape(str(game.seat_names[seat]))}")
        times = f"{format_seconds(clock.last)}, slowest {format_seconds(clock.slowest)}" if clock.moves else ""
        lines.append(f"  [bold]{format_score(state, seat):>4}[/bold]  [dim]{times}[/dim]")
    if sight.move is not None:
        lines += ["", f"  {escape(game.format_move(sight.move.move))}"]
    return lines


def compose(picture: list[Text], panel: list[Text], width: int, height: int) -> list[Text]:
    """Picture and panel on a screen of this size: side by side if that fits, the panel on top if not.

    A terminal of 24 lines is lower than a Blokus board with its captions: blank lines go first, then what is
    lowest, which games use for details.
    """
    lines = _arrange(picture, panel, width)
    if len(lines) > height:
        lines = _arrange([line for line in picture if line.plain.strip()], panel, width)
    return lines[:height]


def _arrange(picture: list[Text], panel: list[Text], width: int) -> list[Text]:
    span = len(panel)
    needed = min(max((line.cell_len for line in panel), default=0), _PANEL)
    best, top = min(
        ((max(line.cell_len for line in picture[top : top + span]), top) for top in range(len(picture) - span + 1)),
        default=(width, 0),
    )
    column = best + 3
    if column + needed > width:
        return [*panel, *picture]
    lines = [line.copy() for line in picture]
    for line, beside in zip(lines[top:], panel, strict=False):
        line.append(" " * (column - line.cell_len))
        line.append_text(beside)
    return lines
