"""SDK bots, the administrator's client and our own server together, over real sockets."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from spielleiter.client import Bot, Exit, run_match
from spielleiter.client import participant as playing
from spielleiter.client import runner as running
from spielleiter.client.admin import AdminClient, AdminError
from spielleiter.client.events import Closed, ErrorReceived, MatchOver, PauseShown, StateShown
from spielleiter.games import get_game
from spielleiter.rules import Cause
from spielleiter.server import Server
from spielleiter.server.settings import Settings
from spielleiter.wire.messages import Slot

PASSWORD = "examplepassword"


class Quick(Bot):
    """Any of the first moves: fast, and different by seed."""

    def choose(self, state, clock):
        self.hint(f"turn {state.turn}")
        return self.rng.choice(state.legal_moves()[:5])


class Fails(Quick):
    def choose(self, state, clock):
        if state.turn >= 4:
            raise ValueError("I give up")
        return super().choose(state, clock)


def serving(test):
    """Run an async test with a server and an administrator."""

    async def wrapped(**arguments):
        server = Server(Settings(port=0, password=PASSWORD))
        await server.start()
        try:
            async with await AdminClient.connect("127.0.0.1", server.port, PASSWORD) as admin:
                await test(server, admin, **arguments)
        finally:
            await server.stop()

    return wrapped


def player(server, code, bot=Quick, *argv) -> asyncio.Future[Exit]:
    arguments = ["-h", "127.0.0.1", "-p", str(server.port), *argv]
    if code is not None:
        arguments += ["-r", code]
    return asyncio.ensure_future(asyncio.to_thread(run_match, bot, arguments))


GAMES = [
    ("blokus-2027", None),
    ("blokus-2027-documented", None),
    ("blokus-2021", None),
    ("blokus-2021", "2021-older"),
    ("hase-und-igel-2018", None),
]


@pytest.mark.parametrize(("name", "revision"), GAMES)
def test_a_whole_game(name, revision, monkeypatch):
    monkeypatch.setenv("SPIELLEITER_SERVER", "1")
    game = get_game(name)

    @serving
    async def play(server, admin):
        room = await admin.prepare(game, [Slot("A"), Slot("B")], seed=7, revision=revision)
        assert len(room.codes) == 2
        watching = await admin.observe(room.room_id)
        players = [
            player(server, code, Quick, "--seed", str(seat)) for seat, code in enumerate(room.codes)
        ]
        events = [event async for event in watching]
        assert await asyncio.gather(*players) == [Exit.OK, Exit.OK]
        states = [event.state for event in events if isinstance(event, StateShown)]
        assert states[0] == game.start(7)
        assert watching.game == game
        for before, after in pairwise(states):
            assert before.play(after.last_move) == after
        (over,) = [event for event in events if isinstance(event, MatchOver)]
        assert over.outcome.is_regular
        assert over.outcome.winner == states[-1].outcome().winner
        assert [line.points for line in over.outcome.seats] == [
            line.points for line in states[-1].outcome().seats
        ]
        assert {type(event) for event in events} == {StateShown, MatchOver}
        hints = [event.hints for event in events if isinstance(event, StateShown) and event.hints]
        assert bool(hints) == (name != "blokus-2027" and name != "blokus-2027-documented")

    asyncio.run(play())


def test_a_bot_that_gives_up_loses(capsys):
    @serving
    async def play(server, admin):
        room = await admin.prepare(get_game("blokus-2027"), [Slot("A"), Slot("B")])
        watching = await admin.observe(room.room_id)
        players = [player(server, room.codes[0], Fails), player(server, room.codes[1])]
        over = await watching.result()
        assert await asyncio.gather(*players) == [Exit.BOT_FAILED, Exit.OK]
        assert over.outcome.winner == 1
        assert over.outcome.seats[0].cause is Cause.LEFT

    asyncio.run(play())
    assert "ValueError: I give up" in capsys.readouterr().err


def test_join_needs_no_administrator():
    @serving
    async def play(server, admin):
        players = [player(server, None, Quick, "--game", "hase-und-igel-2018") for _ in range(2)]
        assert await asyncio.gather(*players) == [Exit.OK, Exit.OK]

    asyncio.run(play())


def test_who_waits_for_an_opponent_says_so(monkeypatch, capsys):
    @serving
    async def play(server, admin):
        monkeypatch.setattr(playing, "_WAITING_SECONDS", 0.01)
        said = asyncio.Event()
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(
            running, "_speaker", lambda _: lambda line: loop.call_soon_threadsafe(heard, line)
        )
        spoken = []

        def heard(line):
            spoken.append(line)
            said.set()

        first = player(server, None)
        await said.wait()
        # A server that takes its time has not given it a seat yet.
        assert spoken in (
            ["has a seat, waiting for the opponent"],
            ["is connected, waiting for the opponent"],
        )
        monkeypatch.setattr(playing, "_WAITING_SECONDS", 60.0)
        assert await asyncio.gather(first, player(server, None)) == [Exit.OK, Exit.OK]
        assert sum("waiting" in line for line in spoken) == 1

    asyncio.run(play())


def test_a_revision_the_server_does_not_know(monkeypatch, capsys):
    monkeypatch.setattr(
        running, "_check_revision", lambda revision, game: None
    )  # as an SDK that knows more

    @serving
    async def play(server, admin):
        assert await player(server, None, Quick, "--revision", "2031") == Exit.REFUSED

    asyncio.run(play())
    said = capsys.readouterr().err
    assert "there is no revision '2031'; there are: 2018, " in said
    assert said.count("\n") == 1


def test_pause_step_and_cancel():
    @serving
    async def play(server, admin):
        room = await admin.prepare(get_game("blokus-2027"), [Slot("A"), Slot("B")], paused=True)
        watching = await admin.observe(room.room_id)
        players = [player(server, code) for code in room.codes]
        events = aiter(watching)
        assert (await anext(events)).state.turn == 0
        turns = []
        while len(turns) < 3:
            admin.step(room.room_id)
            event = await anext(events)
            while isinstance(event, StateShown) and event.state.turn == (turns[-1] if turns else 0):
                event = await anext(events)
            turns.append(event.state.turn)
        assert turns == [1, 2, 3]
        admin.pause(room.room_id, False)
        async for event in events:
            if isinstance(event, PauseShown):
                assert not event.paused
                break
        admin.cancel(room.room_id)
        rest = [event async for event in events]
        assert isinstance(rest[-1], MatchOver)
        await asyncio.gather(*players)

    asyncio.run(play())


def test_refusals():
    @serving
    async def play(server, admin):
        with pytest.raises(AdminError, match="observe"):
            await admin.observe("no-such-room")
        admin.step("no-such-room")
        room = await admin.prepare(get_game("blokus-2027"))  # the connection is still of use
        assert len(room.codes) == 2
        async with await AdminClient.connect("127.0.0.1", server.port, "wrong") as stranger:
            with pytest.raises(AdminError, match="prepare"):
                await stranger.prepare(get_game("blokus-2027"))
        assert await player(server, "no-such-code") == Exit.REFUSED
        assert await player(server, None, Quick, "--room", "no-such-room") == Exit.REFUSED

    asyncio.run(play())


def test_no_server():
    async def connect():
        await AdminClient.connect("127.0.0.1", 1, PASSWORD)

    with pytest.raises(AdminError, match=r"no server answers at 127\.0\.0\.1:1"):
        asyncio.run(connect())


def test_an_address_that_never_answers(monkeypatch):
    async def hang(host, port):
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, "open_connection", hang)
    monkeypatch.setattr("spielleiter.client.admin.CONNECT_SECONDS", 0.01)
    with pytest.raises(AdminError, match=r"no server answers at 127\.0\.0\.1:1 within 0\.01 s"):
        asyncio.run(AdminClient.connect("127.0.0.1", 1, PASSWORD))


def test_a_failure_while_listening_ends_the_watching(monkeypatch):
    def fail(*_):
        raise KeyError("a mistake of ours")

    @serving
    async def watch(server, admin):
        room = await admin.prepare(get_game("blokus-2027"))
        watching = await admin.observe(room.room_id)
        monkeypatch.setattr(watching, "take", fail)
        players = [player(server, code) for code in room.codes]
        assert [event async for event in watching] == [Closed(False)]
        assert "a mistake of ours" in admin.errors[-1]
        with pytest.raises(AdminError, match="closed"):
            await admin.observe(room.room_id)
        await asyncio.gather(*players)

    asyncio.run(watch())


def test_a_server_that_ends_ends_the_watching():
    async def watch():
        server = Server(Settings(port=0, password=PASSWORD))
        await server.start()
        async with await AdminClient.connect("127.0.0.1", server.port, PASSWORD) as admin:
            room = await admin.prepare(get_game("blokus-2027"))
            watching = await admin.observe(room.room_id)
            await server.stop()
            events = [event async for event in watching]
            assert not [event for event in events if isinstance(event, ErrorReceived | StateShown)]
            with pytest.raises(AdminError, match="closed"):
                await admin.prepare(get_game("blokus-2027"))

    asyncio.run(watch())
