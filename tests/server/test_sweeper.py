"""Peers that keep the server waiting, and rooms that nobody comes to."""

from __future__ import annotations

import asyncio
import logging

import pytest

from server.stage import Stage
from server.test_lobby import ADMIN, join, prepare, room_id, sit, tags
from spielleiter.server.limits import ServerLimits
from spielleiter.server.sweeper import CLOSE_SECONDS, SWEPT_AT_ONCE, Sweeper

PATIENCE = 20.0
"""Seconds after which a test that waits gives up; nothing here should take a tenth of it."""


def test_who_says_nothing_is_sent_away_and_told_why() -> None:
    stage = Stage()
    line = stage.line()
    stage.time.advance(ServerLimits().first_byte_seconds)
    stage.look_after()
    assert not line.closed
    stage.time.advance(0.1)
    stage.look_after()
    assert "nothing was said for" in line.packets[0]


def test_an_administrator_may_stay_without_a_game_and_a_player_may_not() -> None:
    stage = Stage()
    admin, guest = stage.line(ADMIN), stage.line("<protocol>")
    stage.time.advance(ServerLimits().lobby_seconds + 1)
    stage.look_after()
    assert not admin.closed
    assert "no game was joined" in guest.packets[0]


def test_who_does_not_close_is_cut() -> None:
    stage = Stage()
    line = stage.line("<protocol>")
    line.lingers = True
    line.connection.close()
    stage.time.advance(CLOSE_SECONDS)
    stage.look_after()
    assert not line.closed
    stage.time.advance(0.1)
    stage.look_after()
    assert line.closed


def test_others_hear_at_once_what_parting_means_for_them() -> None:
    stage = Stage(no_timeout=True)
    one, two = join(stage), join(stage)
    one.reads = False
    one.connection.pause_writing()
    stage.time.advance(ServerLimits().dead_peer_seconds + 0.1)
    stage.look_after()
    assert one.closed
    assert tags(two)[-2:] == ["result", "left"]


def test_a_fault_with_one_connection_is_logged_and_costs_nobody_else_anything(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stage = Stage()
    broken, silent = stage.line(), stage.line()
    broken.connection.connected_at = "yesterday"  # type: ignore[assignment]
    stage.time.advance(ServerLimits().first_byte_seconds + 0.1)
    with caplog.at_level(logging.ERROR, "spielleiter"):
        stage.look_after()
    assert [record.getMessage() for record in caplog.records] == ["internal error"]
    assert silent.closed


def test_a_running_sweeper_looks_after_everybody_and_tidies_up() -> None:
    stage = Stage(limits=ServerLimits(connections_per_loopback=2 * SWEPT_AT_ONCE))
    lines = [stage.line() for _ in range(SWEPT_AT_ONCE + 1)]
    stage.time.advance(ServerLimits().first_byte_seconds + 0.1)

    async def main() -> None:
        tidied = asyncio.Event()
        server = stage.server
        sweeper = Sweeper(
            server.admission.connections,
            server.settings.limits,
            server.services.clock.now,
            flush=server.outbox.flush,
            tidy_up=tidied.set,
        )
        task = asyncio.create_task(sweeper.run())
        async with asyncio.timeout(PATIENCE):
            await tidied.wait()
        task.cancel()

    asyncio.run(main())
    assert all(line.closed for line in lines)


def test_unfinished_messages_have_their_time_each() -> None:
    stage = Stage()
    line = stage.line("<protocol><left")
    for _ in range(30):
        stage.time.advance(1)
        line.say("/><left")
        stage.look_after()
    assert not line.closed
    stage.time.advance(11)
    stage.look_after()
    assert "not finished" in line.packets[0]


def test_who_reads_slowly_is_not_dead_and_who_does_not_read_is() -> None:
    stage = Stage()
    admin, dead = stage.line(ADMIN), stage.line(ADMIN)
    for line in (admin, dead):
        line.reads = False
        line.say('<testMode testMode="true"/>')
    for waiting in range(100, 60, -1):
        stage.time.advance(1)
        admin.connection._transport.waiting = waiting  # type: ignore[union-attr]
        stage.look_after()
    assert not admin.closed
    assert dead.closed


def test_a_prepared_game_nobody_comes_to_is_forgotten() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    room, _ = prepare(admin)
    admin.say(f'<observe roomId="{room}"/>')
    _, codes = prepare(admin)
    waiting = sit(stage, codes[0])
    stage.time.advance(3601)
    stage.look_after()
    assert list(stage.server.lobby.rooms) == [room_id(waiting)]
    assert tags(admin)[-1] == "left"
    assert admin.connection.observing == {}


@pytest.mark.parametrize("prepared", [False, True])
def test_who_waited_long_and_leaves_has_the_whole_time_to_join_again(prepared: bool) -> None:
    stage = Stage()
    waiting = sit(stage, prepare(stage.line(ADMIN))[1][0]) if prepared else join(stage)
    stage.time.advance(70)
    waiting.say("<left/>")
    stage.time.advance(59)
    stage.look_after()
    assert not waiting.closed
    stage.time.advance(2)
    stage.look_after()
    assert waiting.closed
    assert "no game was joined within 60 seconds" in waiting.written.decode()
