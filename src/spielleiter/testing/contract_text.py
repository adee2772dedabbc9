"""Check how a game is written for people and pages, which is its notation, pictures and views.

Part of ``contract``.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from spielleiter.rules import AnyGame, AnyState, NotationError
from spielleiter.rules.view import common_view
from spielleiter.testing.demand import place, require, sample

RUBBISH = (
    "",
    " ",
    "\n",
    "\x00",
    "x",
    "?",
    "-",
    "/",
    "0",
    "-1",
    "99999999999999999999",
    "ä",
    "\U0001f600",
    "a b c",
    "(" * 50,
)
"""Texts that are a move or a position by chance at most."""

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def check_notation(
    states: Sequence[AnyState], seed: int = 0, moves_per_state: int | None = None
) -> None:
    """Check that what is formatted parses to the same.

    What cannot be read is a NotationError and nothing else.
    """
    game = states[0].game
    dice = random.Random(seed)
    moves = {
        move for state in states for move in sample(state.legal_moves(), dice, moves_per_state)
    }
    for move in moves:
        text = game.format_move(move)
        require(
            text and "\n" not in text, f"{game.id}: the text {text!r} of a move is not one line"
        )
        require(str(move) == text, f"{game.id}: str(move) is {str(move)!r} and not {text!r}")
        require(
            game.parse_move(text) == move,
            f"{game.id}: {text!r} is read as another move than it was written for",
        )
    for state in states:
        text = game.format_position(state)
        require(
            text and "\n" not in text, f"{game.id}: the text {text!r} of a position is not one line"
        )
        require(
            game.parse_position(text) == state, f"{game.id}: {text!r} is read as another position"
        )
    positions = [game.format_position(state) for state in sample(states, dice, moves_per_state)]
    spelled = [
        game.format_move(move) for move in sample(sorted(moves, key=str), dice, moves_per_state)
    ]
    for text in (*RUBBISH, *_damaged(spelled, dice), *positions):
        _check_reading(text, game.parse_move, game.format_move, "parse_move")
    for text in (*RUBBISH, *_damaged(positions, dice), *spelled):
        _check_reading(text, game.parse_position, game.format_position, "parse_position")


def _check_reading(text: str, parse: Any, form: Any, name: str) -> None:
    """Read a damaged text, and check that it is refused properly or means something."""
    # Damage may leave a text good, such as another column in a move. Whether it still should be
    # good is not known here without a second parser of the game. So a text may be taken if what it
    # means can be written and read again, and anything but NotationError is a fault.
    try:
        value = parse(text)
    except NotationError as error:
        require(error.reason, f"{name}({text!r}) fails without a reason")
        return
    except Exception as error:
        kind = type(error).__name__
        raise AssertionError(
            f"{name}({text!r}) raises {kind} ({error}) and not NotationError"
        ) from error
    require(
        parse(form(value)) == value,
        f"{name}({text!r}) reads something that does not survive being written",
    )


def _damaged(texts: Sequence[str], dice: random.Random) -> list[str]:
    """Return variants of each text, cut, doubled, or with a letter lost, doubled or replaced."""
    damaged = []
    for text in texts:
        at = dice.randrange(len(text))
        damaged += [
            text[:at],
            text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + text[at] + text[at:],
            text[:at] + dice.choice("aZ09-/?é ") + text[at + 1 :],
            text + text,
            text.swapcase(),
        ]
    return damaged


def check_picture(states: Sequence[AnyState]) -> None:
    """Check that there is a picture of every state.

    ``print(state)`` shows it, and ``repr`` still shows the fields. Colours add escapes to the
    picture and change nothing else.
    """
    game = states[0].game
    for state in states:
        plain, painted = game.picture(state), game.picture(state, color=True)
        require(plain.strip(), f"{place(state)}: the picture is empty")
        require(str(state) == plain, f"{place(state)}: str(state) is not the picture")
        require(
            repr(state) != plain, f"{place(state)}: repr(state) is the picture, and hides fields"
        )
        require(
            not ANSI.search(plain), f"{place(state)}: the picture without colour has escapes in it"
        )
        require(
            ANSI.sub("", painted) == plain,
            f"{place(state)}: the coloured picture differs by more than colour",
        )
    pictures = {game.picture(state) for state in states}
    require(len(pictures) > 1, f"{game.id}: the picture of every state is the same")
    require(
        ANSI.search(game.picture(states[-1], color=True)),
        f"{game.id}: the coloured picture has no colour",
    )


def check_view(states: Sequence[AnyState]) -> None:
    """Check that views are JSON, have the keys of every game, and can be read back.

    What is not a view of this game is a NotationError.
    """
    game = states[0].game
    for state in states:
        view = game.view(state)
        try:
            received = json.loads(json.dumps(view, allow_nan=False))
        except (TypeError, ValueError) as error:
            raise AssertionError(f"{place(state)}: the view is not JSON: {error}") from error
        require(received == view, f"{place(state)}: JSON changes the view; write lists, not tuples")
        for key, value in common_view(state).items():
            require(
                key in view and view[key] == value,
                f"{place(state)}: {key!r} in the view is not {value!r}",
            )
        require(
            game.from_view(received) == state, f"{place(state)}: the view is read as another state"
        )
    good = game.view(states[0])
    rubbish: tuple[Any, ...] = (
        None,
        [],
        {},
        {**good, "game": "another"},
        {**good, "position": None},
        {**good, "position": "?"},
    )
    for wrong in rubbish:
        _check_refused_view(game, wrong)


def _check_refused_view(game: AnyGame, view: Any) -> None:
    try:
        game.from_view(view)
    except NotationError:
        return
    except Exception as error:
        kind = type(error).__name__
        raise AssertionError(
            f"{game.id}: from_view({view!r}) raises {kind} ({error}) and not NotationError"
        ) from error
    raise AssertionError(f"{game.id}: from_view() takes {view!r}")


def check_svg(states: Sequence[AnyState]) -> None:
    """Check that the SVG picture is one well-formed ``<svg>`` and shows what changes."""
    game = states[0].game
    for state in states:
        try:
            root = ElementTree.fromstring(game.svg(state))  # noqa: S314 - the game's own text
        except ElementTree.ParseError as error:
            raise AssertionError(
                f"{place(state)}: svg() is not well-formed XML: {error}"
            ) from error
        require(
            root.tag == "{http://www.w3.org/2000/svg}svg",
            f"{place(state)}: svg() is a {root.tag} and not an svg element of its namespace",
        )
        require(
            state._repr_svg_() == game.svg(state),
            f"{place(state)}: a notebook shows something else than svg()",
        )
    require(
        len({game.svg(state) for state in (states[0], states[-1])}) > 1,
        f"{game.id}: the SVG picture of the first and the last state are the same",
    )
