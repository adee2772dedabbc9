"""``run`` as a bot's file calls it: bots that fail, what else plays, and the last line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import recorded
from client.scripts import (
    AFTER,
    CODEC,
    ENDING,
    GAME,
    ILLEGAL,
    LEFT,
    ONE_MOVE,
    START,
    First,
    WithFallback,
    broken,
    lines,
    played,
)
from spielleiter.client import Bot, Exit, run_match
from spielleiter.testing import ScriptedServer, close, expect_end, script_of, send

pytestmark = pytest.mark.usefixtures("own_environment")


FAULTS = {
    "raises": ({"error": ValueError("no idea")}, "ValueError: no idea"),
    "returns nothing": ({"value": None}, "None"),
    "returns a number": ({"value": 5}, "5, of type int, is not a move of Blokus 2027"),
    "returns all moves": (
        {"value": lambda state: state.legal_moves()},
        "items in a tuple, not one move; return one of state.legal_moves()",
    ),
    "returns an illegal move": ({"value": ILLEGAL}, "is not legal"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_fallback_saves_the_game(fault, capsys):
    arguments, words = FAULTS[fault]
    code, server = played(broken(WithFallback, **arguments), [*ONE_MOVE, *ENDING])
    said = lines(capsys)
    assert code == Exit.OK, said
    move = CODEC.decode_move(server.received[1].find("data"), START).move
    assert move == START.legal_moves()[1]
    assert words in said
    assert f"!!! playing the fallback move {move}" in said
    assert "in turn 0 (round 1)" in said


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if "illegal" not in fault])
def test_without_a_fallback_the_bot_leaves(fault, capsys):
    arguments, words = FAULTS[fault]
    code, server = played(broken(Bot, **arguments), [*ONE_MOVE[:2], expect_end(), close()])
    said = lines(capsys)
    assert code == Exit.BOT_FAILED
    assert words in said
    assert "fallback(self, state)" in said
    assert [element.tag for element in server.received] == ["join", "close"]


def test_an_illegal_move_without_a_fallback_is_left_to_the_server(capsys):
    error = '\n<room roomId="r"><data class="error" message="Ungueltiger Zug"/></room>'
    script = [*ONE_MOVE, send(error), close()]
    code, server = played(broken(Bot, value=ILLEGAL), script)
    assert code == Exit.BOT_FAILED
    assert CODEC.decode_move(server.received[1].find("data"), START).move == ILLEGAL
    said = lines(capsys)
    assert "[WRONG_COLOR]" in said
    assert "as it is; the server will decide" in said
    assert "the server threw us out: Ungueltiger Zug" in said


@pytest.mark.parametrize("fallback", [None, 5, ZeroDivisionError])
def test_a_fallback_that_fails_is_none(fallback, capsys):
    class Hopeless(broken(Bot, error=ValueError())):
        def fallback(self, state):
            if fallback is ZeroDivisionError:
                return 1 / 0
            return fallback

    code, _ = played(Hopeless, [*ONE_MOVE[:2], expect_end(), close()])
    assert code == Exit.BOT_FAILED
    assert ("fallback" in lines(capsys).split("leaves the game")[0]) == (fallback is not None)


@dataclass(frozen=True)
class Frozen(First):
    depth: int = 3


class OwnPlace(First):
    @property
    def seat(self):
        return "window"


class OwnNew(First):
    def __new__(cls):
        return object.__new__(cls)

    def choose(self, state, clock):
        self.hint("still there")
        return super().choose(state, clock)


def overwriting(**values):
    class Overwriting(First):
        def __init__(self):  # without super().__init__()
            vars(self).update(values)

    return Overwriting


OVERWRITING = {
    "debug": (overwriting(debug=False), ["debug"]),
    "hint": (overwriting(hint="none"), ["hint"]),
    "all": (
        overwriting(
            debug=None, hint=3, rng=4, seat="a", game=[5], take_hints=6, _hints=7, _spielleiter=8
        ),
        ["debug", "hint"],
    ),
    "nothing": (overwriting(), []),
    "frozen": (Frozen, []),
    "property": (OwnPlace, []),
    "new": (OwnNew, ["debug"]),
}


@pytest.mark.parametrize("made", [False, True])
@pytest.mark.parametrize("bot", OVERWRITING)
def test_attributes_of_its_own_cost_no_game(bot, made, capsys):
    kind, off = OVERWRITING[bot]
    code, _ = played(kind() if made else kind, [*ONE_MOVE, *ENDING], "--seed", "1")
    said = lines(capsys).splitlines()
    assert code == Exit.OK, said
    assert [line.split()[1] for line in said if line.endswith("are off")] == off
    assert len(said) == len(off) + 1


def test_a_lost_game_by_time_says_so(capsys):
    from spielleiter.rules import Cause, Text

    outcome = AFTER.outcome().forfeit(
        0, Cause.SOFT_TIMEOUT, Text("a hat fuer die Antwort laenger als 2 Sekunden gebraucht.", "")
    )
    text = f'<room roomId="r">{CODEC.encode_outcome(outcome, AFTER, ("a", "b"))}</room>'
    code, _ = played(First, [*ONE_MOVE, send(text + LEFT), expect_end(), close()])
    assert code == Exit.BOT_FAILED
    said = lines(capsys)
    assert said == "First: !!! First has lost: it took too long for a move (SOFT_TIMEOUT)\n"
    played(First, [*ONE_MOVE, send(text + LEFT), expect_end(), close()], "--debug")
    assert (
        "First: the server says: a hat fuer die Antwort laenger als 2 Sekunden gebraucht.\n"
        in lines(capsys)
    )


def test_a_fault_in_async_code_is_shown_with_the_authors_lines_only(capsys):
    class Later(WithFallback):
        async def choose(self, state, clock):
            return await self.search()

        async def search(self):
            return [][0]

    assert played(Later, [*ONE_MOVE, *ENDING])[0] == Exit.OK
    said = lines(capsys)
    assert "IndexError" in said
    assert said.count("File ") == 2
    assert "return await self.search()" in said


def test_a_move_that_took_too_long_is_said(capsys):
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        assert run_match(First, server.address, move_seconds=1e-9) == Exit.OK
    assert "s are allowed, so the game is probably lost" in lines(capsys)


@pytest.mark.parametrize("version", ["18.2.6", "21.4.0", "27.0.4"])
def test_a_game_lost_by_a_rule(version, capsys):
    scenario = "violation-advance-too-far" if version == "18.2.6" else "violation-first-wrong-piece"
    text = recorded.text(version, scenario, "one", "server")
    assert played(First, script_of(text, join="joinPrepared"), "-r", "c")[0] == Exit.BOT_FAILED
    said = lines(capsys)
    assert "the server says: Ungueltiger Zug von" in said
    assert (
        "threw us out" if version == "18.2.6" else "has lost: it broke a rule (RULE_VIOLATION)"
    ) in said


def test_hooks_are_called_in_order_and_may_fail(capsys):
    seen = []

    class Curious(First):
        def __init__(self):  # no super().__init__() needed
            seen.append(("init", self.seat, self.rng.random()))

        def on_start(self, state):
            seen.append(("start", self.seat, state))
            raise ValueError("early")

        def on_state(self, state):
            seen.append(("state", state))

        def on_result(self, outcome):
            seen.append(("result", outcome.scores))

        def on_error(self, message):
            seen.append(("error", message))

    error = '\n<room roomId="r"><data class="error" message="oops"/></room>'
    code, _ = played(Curious, [*ONE_MOVE, send(error), *ENDING], "--seed", "5")
    assert code == Exit.OK
    rolled = seen.pop(0)[2]
    assert seen == [
        ("start", 0, START),
        ("state", START),
        ("error", "oops"),
        ("state", AFTER),
        ("result", AFTER.outcome().scores),
    ]
    said = lines(capsys)
    assert "Curious.on_start failed: ValueError: early" in said
    assert "in on_start" in said
    played(Curious, [*ONE_MOVE, *ENDING], "--seed", "5")
    assert seen[5][2] == rolled


def test_house_players_and_objects_play(capsys):
    script = [*ONE_MOVE, *ENDING]
    house = GAME.players["greedy"]
    assert played(house, script)[0] == 0
    assert played(house(3), script)[0] == 0
    assert played(First(), script, "--seed", "1")[0] == 0
    names = [line.split(":")[0] for line in lines(capsys).splitlines()]
    assert names == ["GreedyPlayer", "GreedyPlayer", "First"]


def test_a_bot_whose_making_fails(capsys):
    class Sad(First):
        def __init__(self):
            self.table = Path("/no/such/table").read_bytes()

    assert run_match(Sad, []) == Exit.USAGE
    said = lines(capsys)
    assert "in __init__" in said
    assert "FileNotFoundError" in said


@pytest.mark.parametrize("bot", [5, int, object()])
def test_what_is_no_bot(bot, capsys):
    assert run_match(bot, []) == Exit.USAGE
    assert "choose" in lines(capsys)


def test_a_bot_without_choose_says_so(capsys):
    class Empty(Bot):
        pass

    class Wrong(Bot):
        choose = None

    for bot in (Empty, Empty(), Wrong):
        assert run_match(bot, []) == Exit.USAGE
        name = getattr(bot, "__name__", "Empty")
        said = (
            f"{name}: {name} has no method choose(self, state, clock): write one that "
            "returns a move\n"
        )
        assert lines(capsys) == said


def test_choose_may_be_given_to_the_instance():
    class Late(Bot):
        def __init__(self):
            self.choose = First().choose

    assert played(Late, [*ONE_MOVE, *ENDING])[0] == Exit.OK


def test_messages_begin_with_the_name_that_others_use(monkeypatch, capsys):
    monkeypatch.setenv("SPIELLEITER_NAME", "team 7")
    code, _ = played(
        broken(Bot, error=ValueError("no idea")), [*ONE_MOVE[:2], expect_end(), close()]
    )
    assert code == Exit.BOT_FAILED
    said = lines(capsys).splitlines()
    assert all(line.startswith("team 7: ") for line in said)
    assert said[0].startswith("team 7: !!! Broken.choose failed in turn 0")
    assert said[-1].startswith("team 7: team 7 has no move in turn 0")


@pytest.mark.parametrize(
    ("version", "scenario", "player", "join", "words"),
    [
        (
            "18.2.6",
            "prepared-full-game-1",
            "two",
            "joinPrepared",
            "The round limit has been reached.",
        ),
        ("27.0.4", "join-full-game", "one", "join", "No colour can place another piece."),
        ("21.4.0", "join-full-game", "two", "join", ""),
    ],
)
def test_how_a_game_ended_is_said_in_english(version, scenario, player, join, words, capsys):
    text = recorded.text(version, scenario, player, "server")
    argv = (
        ["-r", "c"]
        if join == "joinPrepared"
        else ["--game", "blokus-2021" if version < "27" else "blokus-2027"]
    )
    assert played(First, script_of(text, join=join), *argv)[0] == Exit.OK
    said = lines(capsys)
    assert said.startswith(("First: won, ", "First: lost, ", "First: draw, "))
    assert words in said
    assert not re.search(r"\b(hat|Punkte|Feldnummer|Spiel)\b", said)
    assert ("field " in said and ", carrots " in said) == (version == "18.2.6")
