"""Clock, loop, ids and seeds as one value that is handed in."""

from __future__ import annotations

import asyncio
import uuid

from server.stage import Stage, Time
from spielleiter.server.services import Services

PATIENCE = 20.0
"""Seconds after which a test that waits gives up; nothing here should take a tenth of it."""


def handed_in(time: Time) -> Services:
    return Services(
        call_soon=time.call_soon, call_later=time.call_later, run_in_thread=time.run_in_thread
    )


def test_what_follows_comes_after_each_callback() -> None:
    time, order = Time(), []
    services = handed_in(time).followed_by(lambda: order.append("afterwards"))
    services.call_later(5, lambda: order.append("timer"))
    time.advance(4.9)
    assert order == []
    time.advance(0.1)
    assert order == ["timer", "afterwards"]
    services.run_in_thread(lambda: "read", order.append)
    assert order[2:] == ["read", "afterwards"]


def test_what_follows_comes_although_a_thread_s_result_makes_trouble() -> None:
    order: list[str] = []
    services = handed_in(Time()).followed_by(lambda: order.append("afterwards"))
    try:
        services.run_in_thread(lambda: 0, lambda zero: order.append(str(1 // zero)))
    except ZeroDivisionError:
        order.append("trouble")
    assert order == ["afterwards", "trouble"]


def test_a_timer_that_is_cancelled_does_nothing() -> None:
    time, order = Time(), []
    services = handed_in(time).followed_by(lambda: order.append("afterwards"))
    services.call_later(5, lambda: order.append("timer")).cancel()
    time.advance(6)
    assert order == []


def test_the_real_ones_use_the_running_loop() -> None:
    async def main() -> list[str]:
        done, order = asyncio.Event(), []
        services = Services()

        def read(text: str) -> None:
            order.append(text)
            services.call_later(0, done.set)

        services.call_soon(lambda: services.run_in_thread(lambda: "read", read))
        async with asyncio.timeout(PATIENCE):
            await done.wait()
        return order

    assert asyncio.run(main()) == ["read"]


def test_real_ids_and_seeds_differ_each_time() -> None:
    services = Services()
    ids = {services.new_id() for _ in range(50)}
    assert len(ids) == 50
    assert all(uuid.UUID(one).version == 4 for one in ids)
    seeds = {services.new_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_rooms_have_the_ids_that_are_handed_in() -> None:
    ids = iter(["first", "second"])
    stage = Stage(new_id=lambda: next(ids))
    for game_type in ("swc_2027_blokus", "swc_2021_blokus"):
        stage.line(f'<protocol><join gameType="{game_type}"/>')
    assert list(stage.server.lobby.rooms) == ["first", "second"]
