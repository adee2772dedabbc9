"""What is drawn: plain lines, the panel with clocks, and where everything finds its place."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console
from rich.text import Text

from spielleiter.arena.arena_match import WatchedPosition
from spielleiter.arena.thoughts import Thoughts
from spielleiter.cli.screen import Clocks, LiveScreen, Nothing, PlainScreen, compose, panel_lines
from spielleiter.games import all_games, get_game
from spielleiter.match import MoveRecord
from spielleiter.rules import Game

BLOKUS = get_game("blokus-2027")


def sights(
    game: Game, moves: int, names: tuple[str, str] = ("one", "two")
) -> list[WatchedPosition]:
    state = game.start(1)
    found = [WatchedPosition(state, None, names)]
    for number in range(moves):
        move = state.legal_moves()[0]
        record = MoveRecord(state.turn, state.seat, move, 0.25 * (number + 1))
        state = state.play(move)
        found.append(WatchedPosition(state, record, names))
    return found


def test_plain_lines() -> None:
    said: list[str] = []
    screen = PlainScreen(BLOKUS, said.append)
    last = sights(BLOKUS, 2, ("a", "long\x1b[31m"))
    for watched in last:
        screen.show(watched)
    assert said[0].split() == ["0", "a", "B:PENTO_R@0,0", "0.250", "s", "5", ":", "0"]
    assert said[1].split()[:2] == ["1", "long"]
    screen.close(finished=True)
    assert said[2:] == ["", BLOKUS.picture(last[-1].state)]


FALLEN = Thoughts(
    0, ("deep \x1b[31mthought",), ("1,2: here",), is_fallback=True, problem="ValueError: no"
)


def test_a_fallback_is_marked_and_notes_are_shown_on_demand() -> None:
    for notes in (False, True):
        said: list[str] = []
        screen = PlainScreen(BLOKUS, said.append, notes=notes)
        screen.show(replace(sights(BLOKUS, 1)[1], thoughts=FALLEN))
        assert said[0].endswith("  5 : 0  !!! fallback")
        lines = ["!!! ValueError: no", "deep thought", "mark 1,2: here"]
        assert said[1:] == ([f"       {line}" for line in lines] if notes else [])


def test_hints_of_bots_that_keep_no_notes_are_shown_too() -> None:
    said: list[str] = []
    watched = sights(BLOKUS, 1)[1]
    assert watched.move is not None
    PlainScreen(BLOKUS, said.append, notes=True).show(
        replace(watched, move=watched.move._replace(hints=("look",)))
    )
    assert said[1:] == ["       hint: look"]


def frames(
    game: Game, size: tuple[int, int], thoughts: list[Thoughts | None], *, notes: bool
) -> list[str]:
    """The last frame that is drawn after these moves."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=size[0], height=size[1], _environ={})
    screen = LiveScreen(game, console, notes=notes)
    for watched, kept in zip(sights(game, len(thoughts)), [None, *thoughts], strict=True):
        screen.show(replace(watched, thoughts=kept))
    screen.close(finished=False)
    return Text.from_ansi(out.getvalue().rpartition("\x1b[2K")[2]).plain.rstrip().split("\n")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
@pytest.mark.parametrize("size", [(80, 24), (120, 50), (40, 10)], ids=str)
def test_notes_have_a_place_beside_the_board_until_there_are_others(
    game: Game, size: tuple[int, int]
) -> None:
    many = Thoughts(0, tuple(f"thought {number}" for number in range(30)))
    without = frames(game, size, [None, None], notes=False)
    shown = frames(game, size, [many, None], notes=True)
    assert len(shown) <= size[1]
    assert not any("thought" in line for line in without)
    if size[1] >= 24:
        assert [line.partition("one, turn 0:")[1] for line in shown].count("one, turn 0:") == 1
        assert any("thought 0" in line for line in shown)
    if size[1] == 50:
        assert any("... and 25 more lines" in line for line in shown)
        assert not any("thought 5" in line for line in shown)
    for line in without:
        assert (
            line.rstrip() in "\n".join(shown) or size[1] < 50
        )  # the board is whole where there is room


@pytest.mark.parametrize("size", [(80, 40), (100, 50), (50, 50)], ids=str)
def test_a_note_wider_than_the_screen_is_cut_with_a_mark(size: tuple[int, int]) -> None:
    shown = frames(BLOKUS, size, [Thoughts(0, ("long " * 30, "short"))], notes=True)
    (cut,) = [line for line in shown if "long " in line]
    assert cut.endswith("...")
    assert len(cut) == size[0]
    assert any(line.rstrip().endswith("short") for line in shown)


def test_the_panel_counts_fallbacks() -> None:
    count = [
        line
        for line in frames(BLOKUS, (120, 50), [FALLEN, None, None], notes=False)
        if "!!!" in line
    ]
    assert len(count) == 1
    assert count[0].rstrip().endswith("!!! 1 fallback move")
    twice = "\n".join(frames(BLOKUS, (120, 50), [FALLEN, None, FALLEN], notes=False))
    assert "!!! 2 fallback moves" in twice


def test_a_game_that_was_left_has_no_last_board() -> None:
    said: list[str] = []
    screen = PlainScreen(BLOKUS, said.append)
    screen.show(sights(BLOKUS, 0)[0])
    screen.close(finished=False)
    Nothing().show(sights(BLOKUS, 0)[0])
    Nothing().close(finished=True)
    assert said == []


def test_the_panel_shows_last_and_slowest_times() -> None:
    clocks = Clocks()
    seen = sights(BLOKUS, 3, ("[b]one", "two"))
    for watched in seen:
        clocks.add(watched.move)
    lines = [Text.from_markup(line).plain for line in panel_lines(seen[-1], clocks)]
    assert lines[0] == "  [b]one  Blue and Red"
    assert lines[1].split() == ["10", "0.750", "s,", "slowest", "0.750", "s"]
    assert lines[2] == "> two  Yellow and Green"
    assert lines[3].split() == ["5", "0.500", "s,", "slowest", "0.500", "s"]
    assert lines[-1].strip().startswith("R:PENTO_R@")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
@pytest.mark.parametrize("size", [(80, 24), (120, 50), (40, 10), (20, 3)], ids=str)
def test_every_game_fits_into_every_terminal(game: Game, size: tuple[int, int]) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=size[0], height=size[1], _environ={})
    screen = LiveScreen(game, console)
    for watched in sights(game, 3, ("one", "x" * 200)):
        screen.show(watched)
    screen.close(finished=False)
    frame = Text.from_ansi(out.getvalue().rpartition("\x1b[2K")[2]).plain.rstrip().split("\n")
    assert len(frame) <= size[1]
    assert all(len(line) <= size[0] for line in frame)
    assert any("one" in line for line in frame)


def test_on_a_usual_terminal_the_whole_blokus_board_is_beside_the_clocks() -> None:
    picture = [
        Text.from_ansi(line) for line in BLOKUS.picture(BLOKUS.start(1), color=True).split("\n")
    ]
    panel = [Text(line) for line in ("greedy", "218  0.123 s, slowest 0.456 s")]
    lines = [line.plain for line in compose(picture, panel, 80, 23)]
    assert len(lines) == 23
    assert lines[-1].startswith("19  .")
    assert [line.rstrip().endswith("greedy") for line in lines].count(True) == 1


def test_colours_only_where_they_are_wanted() -> None:
    for environ, colored in (({}, True), ({"NO_COLOR": "1"}, False)):
        out = io.StringIO()
        console = Console(
            file=out,
            force_terminal=True,
            width=80,
            height=40,
            color_system="standard",
            _environ=environ,
        )
        screen = LiveScreen(BLOKUS, console)
        for watched in sights(BLOKUS, 1):
            screen.show(watched)
        screen.close(finished=True)
        assert ("44m" in out.getvalue()) is colored


def drawn(
    game: Game, size: tuple[int, int], *, finished: bool = True, ticks: float | None = None
) -> str:
    """All that is on the screen after one move."""
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, width=size[0], height=size[1], _environ={"NO_COLOR": "1"}
    )
    screen = LiveScreen(game, console)
    for watched in sights(game, 1):
        screen.show(watched)
    if ticks is not None:
        screen.tick(ticks, 2.0)
    screen.close(finished=finished)
    return Text.from_ansi(out.getvalue().rpartition("\x1b[2K")[2]).plain


HARE = get_game("hase-und-igel-2018")


@pytest.mark.parametrize("size", [(60, 24), (60, 40), (50, 40)], ids=str)
def test_a_board_too_wide_for_the_terminal_goes_on_below(size: tuple[int, int]) -> None:
    shown = drawn(HARE, size)
    assert {str(field) for field in range(65)} <= set(shown.split())
    assert "one" in shown
    assert "two" in shown
    assert len(shown.rstrip().split("\n")) < size[1]


@pytest.mark.parametrize(
    ("game", "size"), [(BLOKUS, (40, 24)), (BLOKUS, (80, 20)), (HARE, (60, 12))], ids=str
)
def test_a_board_that_was_cropped_is_printed_whole_at_the_end(
    game: Game, size: tuple[int, int]
) -> None:
    picture = "\n".join(
        line.rstrip() for line in game.picture(sights(game, 1)[1].state).split("\n")
    )
    assert picture in "\n".join(line.rstrip() for line in drawn(game, size).split("\n"))
    assert picture not in drawn(game, size, finished=False)
    assert drawn(game, (80, 24)).count("S start" if game is HARE else "19  .") == 1


def test_the_clock_of_the_seat_to_move_runs() -> None:
    before, after = drawn(BLOKUS, (80, 24)), drawn(BLOKUS, (80, 24), ticks=1.26)
    assert "1.3 of 2 s" not in before
    lines = after.split("\n")
    (clock,) = (number for number, line in enumerate(lines) if "1.3 of 2 s" in line)
    assert lines[clock - 1].rstrip().endswith("> two  Yellow and Green")
