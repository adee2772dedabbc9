"""What is foreseen is what the parser would have made of it, and anything else is parsed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import pytest

import recorded
from spielleiter.client.events import Event, MoveAsked, StateShown
from spielleiter.client.foresight import MOST_MISSES, Foresight
from spielleiter.client.session import PlayerSession
from spielleiter.games import all_games, get_game
from spielleiter.games.blokus import SkipMove
from spielleiter.rules import AnyGame, AnyState
from spielleiter.wire import messages, writer
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.responses import encode_response

ROOM = "11111111-2222-3333-4444-555555555555"
NAMES = ("Häschen & Söhne", "<b>'\"")
CODECS = [codec for game in all_games() for codec in game.codecs.values()]


def name_of(codec: AnyCodec) -> str:
    return f"{codec.game.id} {codec.revision}"


class Parsing(PlayerSession):
    """A session that foresees nothing, with which others are compared."""

    def _foresee(self, data: bytes, events: list[Event]) -> int:
        return 0


def sessions(game: AnyGame | None = None) -> tuple[PlayerSession, PlayerSession]:
    """Return one that foresees and one that does not."""
    join = messages.JoinPrepared("code")
    return PlayerSession(join, game), Parsing(join, game)


@cache
def played(game: AnyGame, seed: int, turns: int = 1000) -> tuple[AnyState, ...]:
    dice = random.Random(seed)
    states = [game.start(seed)]
    while not states[-1].is_over and len(states) < turns:
        states.append(states[-1].play(dice.choice(list(states[-1].legal_moves()))))
    return tuple(states)


def said(
    codec: AnyCodec,
    states: Iterable[AnyState],
    hints: Callable[[int], tuple[str, ...]] | None = None,
) -> Iterator[bytes]:
    """Return what a server says in a match to the player of the first seat."""

    def packet(message: messages.Response | messages.WrittenResponse) -> bytes:
        return writer.frame(encode_response(message, codec.dialect))

    yield writer.OPEN.encode() + packet(messages.Joined(ROOM))
    yield packet(messages.Welcome(ROOM, codec.seat_name(0)))
    for state in states:
        kept = () if hints is None else hints(state.turn)
        text = codec.encode_state(state, NAMES, kept)
        request = packet(messages.MoveRequest(ROOM)) if state.seat == 0 else b""
        yield packet(messages.Memento(ROOM, text)) + (b"" if state.is_over else request)


def fed(session: PlayerSession, pieces: Iterable[bytes]) -> list[Event]:
    events = [event for piece in pieces for event in session.receive_data(piece)]
    return events + session.receive_eof()


def parsed_bytes(session: PlayerSession) -> int:
    return session._stream._fed


def same(pieces: Iterable[bytes], game: AnyGame | None = None) -> PlayerSession:
    """Check that both sessions make the same of these pieces, and return the one that foresees."""
    pieces = list(pieces)
    foreseeing, parsing = sessions(game)
    assert fed(foreseeing, pieces) == fed(parsing, pieces)
    assert (foreseeing.state, foreseeing.seat, foreseeing.room_id, foreseeing.game) == (
        parsing.state,
        parsing.seat,
        parsing.room_id,
        parsing.game,
    )
    return foreseeing


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("codec", CODECS, ids=name_of)
def test_every_position_of_a_match_comes_out_the_same(codec: AnyCodec, seed: int) -> None:
    states = played(codec.game, seed)
    session = same(said(codec, states), codec.game)
    assert [session.state] == [*states][-1:]


@pytest.mark.parametrize("codec", CODECS, ids=name_of)
def test_hardly_anything_of_a_match_is_parsed(codec: AnyCodec) -> None:
    pieces = list(said(codec, played(codec.game, 1)))
    foreseeing, parsing = sessions(codec.game)
    fed(foreseeing, pieces)
    fed(parsing, pieces)
    # A bare skip has no end tag, and in the document of 2018 the first round has no last move.
    assert parsed_bytes(foreseeing) < parsed_bytes(parsing) / 4


@pytest.mark.parametrize("codec", CODECS, ids=name_of)
def test_our_own_move_is_expected(codec: AnyCodec) -> None:
    states = played(codec.game, 2)
    foreseeing, parsing = sessions(codec.game)
    for number, piece in enumerate(said(codec, states)):
        assert foreseeing.receive_data(piece) == parsing.receive_data(piece)
        at = number - 2
        if at >= 0 and states[at].seat == 0 and not states[at].is_over:
            foreseeing.look_ahead(states[at + 1])
            assert foreseeing._foresight is not None
            assert foreseeing._foresight._expected is not None
    other = played(codec.game, 3)
    foreseeing.look_ahead(other[-1])  # and something else may come all the same
    for piece in said(codec, other[-2:]):
        assert foreseeing.receive_data(piece) == parsing.receive_data(piece)


@pytest.mark.parametrize("codec", CODECS, ids=name_of)
def test_hints_come_out_as_they_do_otherwise(codec: AnyCodec) -> None:
    states = played(codec.game, 4, turns=12)
    same(said(codec, states, lambda turn: ("why", "& so") if turn % 3 == 2 else ()), codec.game)


@pytest.mark.parametrize("version", recorded.versions())
def test_official_servers_are_understood_the_same(version: str) -> None:
    for scenario in recorded.scenarios(version):
        for connection in recorded.connections(version, scenario):
            text = recorded.text(version, scenario, connection, "server")
            same(piece.encode() + b"</room>" for piece in text.split("</room>"))


@pytest.mark.parametrize("version", ["18.2.6", "21.4.0", "27.0.4"])
def test_official_servers_are_foreseen(version: str) -> None:
    scenario = next(name for name in recorded.scenarios(version) if "full-game" in name)
    text = recorded.text(version, scenario, "one", "server")
    session = same(piece.encode() + b"</room>" for piece in text.split("</room>"))
    assert parsed_bytes(session) < len(text) / 4


def test_a_cut_at_any_byte_makes_no_difference() -> None:
    codec = get_game("hase-und-igel-2018").codecs["2018"]
    *begin, last = said(codec, played(codec.game, 1, turns=5))
    whole = fed(sessions(codec.game)[0], [*begin, last])
    for cut in range(1, len(last)):
        assert fed(sessions(codec.game)[0], [*begin, last[:cut], last[cut:]]) == whole, cut


@pytest.mark.parametrize("codec", CODECS, ids=name_of)
def test_pieces_of_any_size_make_no_difference(codec: AnyCodec) -> None:
    dice = random.Random(name_of(codec))
    data = b"".join(said(codec, played(codec.game, 5)))
    cuts = sorted(dice.sample(range(1, len(data)), 40))
    same((data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)), codec.game)


def mutated(piece: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(piece))
    kind = dice.randrange(5)
    if kind == 0:
        return piece[:at] + bytes([dice.randrange(256)]) + piece[at + 1 :]
    if kind == 1:
        return piece[:at] + piece[at + dice.choice((1, 2, 30)) :]
    if kind == 2:
        return piece[:at] + dice.choice((b" ", b"\n", b"\r", b"<a/>", b"&lt;", b"1")) + piece[at:]
    if kind == 3:
        lines = piece.split(b"\n")
        line = dice.randrange(len(lines))
        lines.insert(dice.randrange(len(lines)), lines.pop(line))
        return b"\n".join(lines)
    digits = [place for place, letter in enumerate(piece) if chr(letter).isdigit()]
    place = dice.choice(digits)
    return piece[:place] + str(dice.randrange(10)).encode() + piece[place + 1 :]


@pytest.mark.parametrize("codec", CODECS, ids=name_of)
def test_what_is_changed_in_any_way_comes_out_the_same(codec: AnyCodec) -> None:
    """Also where it is broken, with the line and the byte at fault."""
    dice = random.Random(name_of(codec))
    pieces = list(said(codec, played(codec.game, 6, turns=9)))
    for _ in range(150):
        changed = list(pieces)
        number = dice.randrange(3, len(changed))
        changed[number] = mutated(changed[number], dice)
        same(changed, codec.game)


def test_a_server_that_writes_in_another_way_is_left_to_the_parser() -> None:
    codec = get_game("blokus-2021").codecs["2021-newest"]
    pieces = [piece.replace(b"/>", b" />") for piece in said(codec, played(codec.game, 1))]
    session = same(pieces, codec.game)
    assert session._foresight is not None
    assert session._foresight._misses == MOST_MISSES


def test_one_position_that_is_not_foreseen_costs_the_next_nothing() -> None:
    codec = get_game("blokus-2021").codecs["2021-newest"]
    pieces = list(said(codec, played(codec.game, 1)))
    pieces[9] = pieces[9].replace(b"/>", b" />", 1)
    before = parsed_bytes(same(pieces[:9], codec.game))
    assert parsed_bytes(same(pieces, codec.game)) - before < 2 * len(pieces[9])


def test_another_room_is_told_apart() -> None:
    codec = get_game("blokus-2027").codecs["2027"]
    *begin, last = said(codec, played(codec.game, 1, turns=6))
    other = last.replace(ROOM.encode(), b"another")
    welcome = writer.frame(encode_response(messages.Welcome("third", "ONE"), codec.dialect))
    same([*begin, other, last], codec.game)
    assert same([*begin, welcome, last], codec.game).room_id == ROOM


def test_where_the_server_plays_on_the_rules_follow() -> None:
    game = get_game("blokus-2027")
    states = [game.start(0)]
    while not states[-1].is_over:
        state = states[-1]
        move = state.legal_moves()[0] if state.turn < 4 else SkipMove(state.color)
        states.append(state.play(move))
    codec = game.codecs["2027"]
    request = writer.frame(encode_response(messages.MoveRequest(ROOM), codec.dialect))
    session = same([*said(codec, states), request])
    assert session.game == get_game("blokus-2027-documented")


def test_a_second_request_is_not_answered() -> None:
    codec = get_game("blokus-2027").codecs["2027"]
    pieces = list(said(codec, played(codec.game, 1, turns=3)))
    request = writer.frame(encode_response(messages.MoveRequest(ROOM), codec.dialect))
    foreseeing, _ = sessions(codec.game)
    events = fed(foreseeing, [*pieces, request, request])
    assert sum(isinstance(event, MoveAsked) for event in events) == 2
    same([*pieces, request, request], codec.game)


class Failing(Foresight):
    def _play(self, data: bytes, before: AnyState) -> AnyState | None:
        after = super()._play(data, before)
        return None if after is None else before


def test_only_what_is_byte_for_byte_the_same_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A foresight that is wrong about every move changes nothing."""
    monkeypatch.setattr("spielleiter.client.session.Foresight", Failing)
    codec = get_game("blokus-2021").codecs["2021-older"]
    states = played(codec.game, 7)
    session, _ = sessions(codec.game)
    shown = [
        event.state for event in fed(session, said(codec, states)) if type(event) is StateShown
    ]
    assert shown == list(states)
