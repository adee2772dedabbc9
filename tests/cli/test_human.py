"""A person at the terminal: every way to type a move, and every way not to."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest
from rich.text import Text

from spielleiter.cli.human import PAGE, LineReader, Person, Quit
from spielleiter.games import get_game
from spielleiter.rules import State

BLOKUS = get_game("blokus-2027")
HARE = get_game("hase-und-igel-2018")
START = BLOKUS.start(1)


def later(turns: int) -> State[Any]:
    state = START
    for _ in range(turns):
        state = state.play(state.legal_moves()[-1 if state.turn % 2 else 0])
    return state


def ask(state: State[Any], *lines: str | None) -> tuple[str | None, list[str]]:
    """What is played after typing these lines (None if the game is left), and what was said after
    the board.
    """
    typed = list(lines)
    said: list[str] = []

    async def read() -> str | None:
        return typed.pop(0)

    person = Person(state.game, read, said.append, lambda text: None)
    try:
        played = state.game.format_move(asyncio.run(person.choose(state)))
    except Quit:
        played = None
    assert not typed, "all lines were read"
    assert said[1].startswith(f"{state.game.picture(state)}\n\nType a move like ")
    return played, said[2:]


def test_a_move_is_played() -> None:
    assert ask(START, "b:pento_r@0,0") == ("B:PENTO_R@0,0", [])


def test_the_first_time_it_is_explained() -> None:
    said: list[str] = []
    prompts: list[str] = []

    async def read() -> str | None:
        return "B:PENTO_R@0,0"

    async def twice() -> None:
        person = Person(BLOKUS, read, said.append, prompts.append)
        await person.choose(START)
        await person.choose(START)

    asyncio.run(twice())
    explained = [text for text in said if "Type a move like B:PENTO_R@0,0; ? lists moves" in text]
    assert len(explained) == 1
    assert prompts == ["Blue and Red, your move: "] * 2


@pytest.mark.parametrize("state", [START, HARE.start(1)], ids=["blokus", "hare"])
@pytest.mark.parametrize("color", [False, True])
def test_board_help_and_prompt_fit_into_a_usual_terminal(state: State[Any], color: bool) -> None:
    written: list[str] = []

    async def read() -> str | None:
        return None

    size = os.terminal_size((80, 24))
    person = Person(
        state.game,
        read,
        lambda text: written.append(f"{text}\n"),
        written.append,
        color=color,
        size=lambda: size,
    )
    with pytest.raises(Quit):
        asyncio.run(person.choose(state))
    lines = Text.from_ansi("".join(written[1:])).plain.split("\n")
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    assert lines[-1] == f"{state.game.seat_names[state.seat]}, your move: "
    shown = " ".join(" ".join(lines).split())
    board = Text.from_ansi(state.game.picture(state)).plain.split("\n")[1:-4]
    assert all(any(line.startswith(row.rstrip()) for line in lines) for row in board)
    assert "Type a move like " in shown
    assert "left: 1 2 L3" in shown or "carrots 68" in shown


@pytest.mark.parametrize("line", ["quit", "EXIT", None])
def test_leaving(line: str | None) -> None:
    assert ask(START, line) == (None, [])


def test_what_cannot_be_read_is_explained() -> None:
    played, said = ask(START, "foo", "quit")
    assert said == [
        "Cannot read 'foo' as a Blokus move: it should look like B:PENTO_L@3,4/RIGHT+f or B:skip"
    ]
    assert played is None


def test_what_is_not_allowed_is_explained() -> None:
    _, said = ask(START, "B:MONO@0,0", "Y:PENTO_R@0,0", "quit")
    assert len(said) == 2
    assert all(text.startswith("That is not allowed: ") for text in said)


def test_part_of_a_move_will_do_if_it_is_the_only_one() -> None:
    assert ask(START, "@0,0/mirror+f") == ("B:PENTO_R@0,0/MIRROR+f", [])
    played, said = ask(START, "@0,0", "quit")
    assert played is None
    assert said[0].startswith("8 moves have that in them:\nB:PENTO_R@0,0")


def test_the_list_has_pages() -> None:
    legal = [BLOKUS.format_move(move) for move in START.legal_moves()]
    pages = -(-len(legal) // PAGE)
    _, said = ask(START, "?", "?2", f"? {pages}", "?999", "?0", "quit")
    shown = [text.split("\npage ")[0].split() for text in said]
    assert shown[0] == shown[4] == legal[:PAGE]
    assert shown[1] == legal[PAGE : 2 * PAGE]
    assert shown[2] == shown[3] == legal[(pages - 1) * PAGE :]
    assert said[0].endswith(f"page 1 of {pages}; ?2 shows another, ? TEXT only moves with TEXT")


def test_the_list_can_be_filtered() -> None:
    _, said = ask(START, "? @3,0", "? mirror @3,0", "? PENTO", "? TETRO", "quit")
    assert len(said[0].split()) == 8
    assert sorted(said[1].split()) == ["B:PENTO_R@3,0/MIRROR", "B:PENTO_R@3,0/MIRROR+f"]
    assert said[2].endswith(f"{PAGE} of {len(START.legal_moves())}; add another word to see fewer")
    assert said[3] == "No legal move has 'TETRO' in it."


def test_passing_where_it_is_legal() -> None:
    state = later(4)
    assert ask(state, "pass")[0] == "B:skip"
    played, said = ask(state, "", "skip")
    assert played == "B:skip"
    assert said[0].startswith("Type a move, or pass to skip. There are ")


def test_passing_where_it_is_not() -> None:
    for line in ("", "pass"):
        assert ask(START, line, "quit")[1] == [
            f"You cannot skip here: there are {len(START.legal_moves())} moves, and ? lists them."
        ]
    state = HARE.start(1)
    assert ask(state, "pass", "quit")[1][0].startswith("You cannot skip here")


STUCK = (
    "SC1CH2HCCHLICHCIC12ICCL2ICCC2HICHH1C2ICH2CLIC1HCC2IHCCC2ILHCCHC1G 55 56,239,4,-,F "
    "63,161,1,F,A7 F"
)


def test_an_empty_line_skips_where_nothing_else_can_be_done() -> None:
    assert ask(HARE.parse_position(STUCK), "") == ("S", [])


def test_lines_from_a_pipe() -> None:
    reading, writing = os.pipe()

    async def main() -> list[str | None]:
        reader = LineReader(reading)
        os.write(writing, b"one\r\n t")
        first = await reader.read()
        os.write(writing, b"wo \nlast")
        os.close(writing)
        return [
            first,
            await reader.read(),
            await reader.read(),
            await reader.read(),
            await reader.read(),
        ]

    assert asyncio.run(main()) == ["one", "two", "last", None, None]
    os.close(reading)
