"""Vier gewinnt over real sockets, which the server has never heard of before.

It knows the game from its folder alone.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

import recorded
from spielleiter import games
from spielleiter.client.recognition import recognise
from spielleiter.rules import FreeClock, Outcome
from spielleiter.server import Server, Settings
from spielleiter.wire.elements import Element
from spielleiter.wire.stream import parse_element
from third_game import FOUR, GAMES
from third_game.game import FourInARow

CODEC = FOUR.codecs["1"]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_registered", [])
    games.register(*GAMES)


async def player(
    port: int, name: str, first_join: asyncio.Event, *, first: bool, illegal: bool = False
) -> Outcome:
    """Join, answer every request, and return the result, as the smallest client would."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    bot = FOUR.players[name](1)
    if not first:
        await first_join.wait()
    writer.write(f'<protocol><join gameType="{FOUR.game_type}"/>'.encode())
    received, handled, state = "", 0, None
    while data := await reader.read(65536):
        received += data.decode()
        messages = list(recorded.elements(received))
        for message in messages[handled:]:
            if message.tag == "joined":
                first_join.set()
                continue
            payload = message.find("data") or Element("none")
            kind = payload.get("class")
            if kind == "memento":
                state = CODEC.decode_state(payload.find("state") or Element("none")).state
            elif kind == "moveRequest":
                assert state is not None
                move = bot.choose(state, FreeClock())
                sent = CODEC.encode_move(replace(move, column=9) if illegal else move)
                writer.write(f'<room roomId="{message.get("roomId")}">{sent}</room>'.encode())
            elif kind == "result":
                writer.write(b"</protocol>")
                writer.close()
                return CODEC.decode_outcome(payload)
        handled = len(messages)
    raise AssertionError(f"closed without a result: {received[-500:]}")


async def match(*, illegal: bool = False) -> list[Outcome]:
    server = Server(Settings(port=0))
    await server.start()
    try:
        joined = asyncio.Event()
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(player(server.port, "greedy", joined, first=True)),
                group.create_task(
                    player(server.port, "random", joined, first=False, illegal=illegal)
                ),
            ]
        return [task.result() for task in tasks]
    finally:
        await server.stop()


@pytest.mark.parametrize("game", GAMES)
def test_who_has_only_a_reservation_finds_out_which_variant_it_is(game: FourInARow) -> None:
    state = game.start(3)
    element = parse_element(CODEC.encode_state(state, ("", "")))

    codec = recognise(element)

    assert codec is not None
    assert codec.decode_state(element).state == state


def test_a_whole_game() -> None:
    first, second = asyncio.run(match())
    assert first == second
    assert first.is_regular
    assert first.code in ("FOUR", "BOARD_FULL")


def test_an_illegal_move_loses() -> None:
    first, second = asyncio.run(match(illegal=True))
    assert first == second
    assert (first.winner, first.code) == (0, "RULE_VIOLATION")
    assert "Diese Spalte gibt es nicht" in first.reason.de
