"""Documents may grow: what nobody knows is passed over, however often and wherever it
stands (W35).
"""

from __future__ import annotations

from typing import Any

import pytest

from spielleiter.client.session import PlayerSession
from spielleiter.games import all_games, get_game
from spielleiter.games.recognition import recognise
from spielleiter.rules import Cause, Text
from spielleiter.wire import messages, writer
from spielleiter.wire.codec import Codec
from spielleiter.wire.elements import Element, encode_element
from spielleiter.wire.stream import parse_element

CODECS = [
    pytest.param(codec, id=f"{game.id}-{name}")
    for game in all_games()
    for name, codec in game.codecs.items()
]
NAMES = ("A", "B")


def crowded(element: Element, *, inside: bool = True) -> Element:
    """The same element with strangers before, between and after its children, the same ones again
    and again.
    """
    children = [Element("stranger", {"odd": "1"}, [Element("inner")])]
    for child in element.children:
        children += [
            crowded(child) if inside else child,
            Element("stranger"),
            Element("other", {}, [], "text"),
        ]
    children = children if element.children else []  # a leaf's text is its value
    return Element(element.tag, {**element.attributes, "oddAttribute": "1"}, children, element.text)


def some_states(codec: Codec[Any, Any]) -> list[Any]:
    states = [codec.game.start(3)]
    while len(states) < 12:
        moves = states[-1].legal_moves()
        states.append(states[-1].play(moves[len(states) * 7 % len(moves)]))
    return states


@pytest.mark.parametrize("codec", CODECS)
def test_states_moves_and_results_are_read_among_strangers(codec: Codec[Any, Any]) -> None:
    for state in some_states(codec):
        found = codec.decode_state(crowded(parse_element(codec.encode_state(state, NAMES))))
        assert found.state == state
        assert found.discarded
        move = state.legal_moves()[0]
        assert (
            codec.decode_move(crowded(parse_element(codec.encode_move(move))), state).move == move
        )
        outcome = state.outcome().forfeit(1, Cause.LEFT, Text("weg", "gone"))
        plain = parse_element(codec.encode_outcome(outcome, state, NAMES))
        assert codec.decode_outcome(crowded(plain)) == codec.decode_outcome(plain)


@pytest.mark.parametrize("codec", CODECS)
def test_strangers_do_not_make_it_another_game(codec: Codec[Any, Any]) -> None:
    element = parse_element(codec.encode_state(codec.game.start(3), NAMES))
    expected = recognise([element])
    assert expected.game.game_type == codec.game.game_type
    many = [Element(f"stranger{number}") for number in range(150)]
    element.children[:0] = many
    attributes = {f"odd{number}": "1" for number in range(30)}
    found = recognise([Element("state", {**attributes, **element.attributes}, element.children)])
    assert (found.game, found.revision) == (expected.game, expected.revision)


@pytest.mark.parametrize("game_id", ["blokus-2021", "blokus-2027", "hase-und-igel-2018"])
def test_a_player_goes_on_among_strangers(game_id: str) -> None:
    game = get_game(game_id)
    codec = next(iter(game.codecs.values()))
    session = PlayerSession(messages.Join(game.game_type), game)
    state = crowded(parse_element(codec.encode_state(game.start(3), NAMES)))
    packet = writer.room("r", encode_element(Element("data", {"class": "memento"}, [state])))
    events = session.receive_data(writer.OPEN.encode() + writer.frame(packet))
    assert session.state == game.start(3), events
