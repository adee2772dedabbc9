"""How programs of others read a server's stream, each with habits of its own; our stream must suit
them all.

Their habits are facts about published clients of 2018 to 2027. Whole games are read here as each of
them would.
"""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from server.stage import Stage

SEASONS = {
    "2018": ("swc_2018_hase_und_igel", ""),
    "2021-newest": ("swc_2021_blokus", ""),
    "2021-older": ("swc_2021_blokus", ' revision="2021-older"'),
    "2027": ("swc_2027_blokus", ""),
}


@cache
def streams(season: str) -> tuple[str, str]:
    """What the two players of a whole game were sent."""
    game_type, more = SEASONS[season]
    stage = Stage()
    players = [stage.line(f'<protocol><join gameType="{game_type}"{more}/>') for _ in range(2)]
    room = next(iter(stage.server.lobby.rooms.values()))
    rng = random.Random(7)
    while room.referee.asked is not None:
        state = room.referee.state
        player = players[state.seat]
        move = room.audience.codec(player.connection).encode_move(rng.choice(state.legal_moves()))
        player.say(f'<room roomId="{room.id}">{move}</room>')
    stage.time.advance(60)
    return players[0].written.decode(), players[1].written.decode()


@pytest.fixture(params=[(season, seat) for season in SEASONS for seat in (0, 1)], ids=str)
def stream(request: pytest.FixtureRequest) -> str:
    season, seat = request.param
    return streams(season)[seat]


def test_who_reads_character_by_character_up_to_a_blank(stream: str) -> None:
    """Ruby: a message ends where the text since the last blank is exactly </room>."""
    rooms, since_blank = 0, ""
    for character in stream:
        since_blank = "" if character == " " else since_blank + character
        if since_blank == "</room>":
            rooms += 1
            since_blank = ""
    assert rooms == stream.count("</room>")


def test_who_cuts_the_stream_at_the_end_of_a_room(stream: str) -> None:
    """C++: everything up to </room> is one message; the first must have told the room."""
    first, *_ = stream.split("</room>")
    assert first.startswith("<protocol>")
    assert re.search(r'<joined roomId="[^"]+"/>', first)


def test_who_takes_the_first_element_for_the_answer(stream: str) -> None:
    """Rust: the first child of the root is read as the answer to the join."""
    assert stream.removeprefix("<protocol>").lstrip().startswith("<joined ")


def test_who_knows_only_some_messages(stream: str) -> None:
    """C++: joined, left and room; in a room welcomeMessage, memento, request, result, error.

    Anything else ends it.
    """
    top = set(re.findall(r"^  <(\w[\w.]*)", stream, re.MULTILINE))
    assert top == {"joined", "room", "left"}
    classes = set(re.findall(r'^    <data class="([^"]+)"', stream, re.MULTILINE))
    assert {name.rpartition(".")[2].lower() for name in classes} == {
        "welcomemessage",
        "memento",
        "moverequest",
        "result",
    }


def test_who_finds_messages_by_pattern(stream: str) -> None:
    """Python: joined and left must be closed in their own tag, a room by its end tag."""
    assert len(re.findall(r"<joined [^>]*/>", stream)) == 1
    assert len(re.findall(r"<left [^>]*/>", stream)) == 1
    assert stream.count("<room ") == stream.count("</room>")


def test_who_wants_coordinates_before_colours(stream: str) -> None:
    """C++: the attributes of a square in the order x, y, content."""
    fields = re.findall(r"<field [^>]*/>", stream)
    assert all(
        re.fullmatch(r'<field x="\d+" y="\d+" content="[A-Z]+"/>', field) for field in fields
    )
    assert "<fields>" not in stream


def test_who_counts_turns(stream: str) -> None:
    """Rust: turns never go back, and the first position is that of turn 0."""
    turns = [int(turn) for turn in re.findall(r'<state [^>]*\bturn="(\d+)"', stream)]
    assert turns[0] == 0
    assert turns == sorted(turns)
    assert max(turns) <= 104
