"""Which game ``run`` plays, and what its command line and the environment say."""

from __future__ import annotations

import pytest

import recorded
from client.scripts import (
    ENDING,
    ONE_MOVE,
    First,
    lines,
    one_line,
    played,
)
from spielleiter.client import Exit, run_match
from spielleiter.client.environment import GAME as GAME_VARIABLE
from spielleiter.games import all_games
from spielleiter.testing import ScriptedServer, close, expect, expect_end, script_of, send

pytestmark = pytest.mark.usefixtures("own_environment")


@pytest.mark.parametrize(("said", "code"), [("blokus-2027", Exit.OTHER_GAME), (None, Exit.OK)])
def test_a_room_of_another_game(said, code, capsys):
    class Choosy(First):
        game = said

    text = recorded.text("18.2.6", "prepared-full-game-1", "two", "server")
    script = script_of(text, join="joinPrepared")
    if code is Exit.OTHER_GAME:
        script = [script[0], script[1], expect_end(), close()]
    assert played(Choosy, script, "-r", "c")[0] == code
    spoken = one_line(capsys)
    assert ("this room plays Hase und Igel 2018, but Choosy is for Blokus 2027" in spoken) == (
        code != Exit.OK
    )


def test_a_room_of_another_season_is_played(capsys):
    class Choosy(First):
        game = "blokus-2027"

    text = recorded.text("21.4.0", "join-full-game", "one", "server")
    assert played(Choosy, script_of(text, join="joinPrepared"), "-r", "c")[0] == Exit.OK
    assert "this room plays Blokus 2021, not Blokus 2027: playing on by its rules" in lines(capsys)


REFUSED = [expect("join"), send("<protocol>"), close()]


class Of2027(First):
    game = "blokus-2027"


class OfNothing(First):
    game = "chess"


@pytest.mark.parametrize(
    ("bot", "argv", "variable", "asked_for"),
    [
        (First, [], None, "swc_2021_blokus"),
        (First, [], "", "swc_2021_blokus"),
        (First, [], "hase-und-igel-2018", "swc_2018_hase_und_igel"),
        (First, [], " swc_2027_blokus ", "swc_2027_blokus"),
        (Of2027, [], None, "swc_2027_blokus"),
        (Of2027, [], "hase-und-igel-2018", "swc_2027_blokus"),
        (Of2027, [], "chess", "swc_2027_blokus"),
        (Of2027, ["--game", "hase-und-igel-2018"], "blokus-2021", "swc_2018_hase_und_igel"),
    ],
)
def test_flag_before_bot_before_environment_before_default(
    bot, argv, variable, asked_for, monkeypatch
):  # W118
    monkeypatch.delenv(GAME_VARIABLE)
    if variable is not None:
        monkeypatch.setenv(GAME_VARIABLE, variable)
    code, server = played(bot, REFUSED, *argv)
    assert (code, server.received[0].get("gameType")) == (Exit.REFUSED, asked_for)


@pytest.mark.parametrize("source", ["SPIELLEITER_GAME", "OfNothing.game"])
def test_a_game_that_is_not_there_is_said_with_its_place(source, monkeypatch, capsys):
    monkeypatch.setenv(GAME_VARIABLE, "chess")
    assert run_match(First if source == GAME_VARIABLE else OfNothing, ["-p", "1"]) == Exit.USAGE
    said = one_line(capsys)
    assert f": {source}: there is no game 'chess'; there are: " in said
    for game in all_games():
        assert game.id in said


def test_a_reservation_leads_to_its_game_whatever_the_environment_says(monkeypatch):
    monkeypatch.setenv(GAME_VARIABLE, "chess")
    script = [expect("joinPrepared"), *ONE_MOVE[1:], *ENDING]
    assert played(First, script, "-r", "c")[0] == Exit.OK


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["-p", "x"], "-p/--port: 'x' is not a port, which is a number from 1 to 65535"),
        (["-p", "70000"], "'70000' is not a port"),
        (["-r"], "-r/--reservation needs a value"),
        (["--seed", "pi"], "'pi' is not a whole number"),
        (["--game", "chess"], "there is no game 'chess'; there are: blokus-2027"),
        (["--connect-seconds", "-1"], "not a number of seconds"),
    ],
)
def test_bad_command_lines(argv, words, capsys):
    assert run_match(First, argv) == Exit.USAGE
    assert words in one_line(capsys)


def test_any_order_unknown_extras_and_empty_values(capsys):
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        argv = [
            "--turbo",
            "--reservation",
            "",
            "--port",
            str(server.port),
            "--room=",
            "-h",
            server.host,
            "--fast=1",
        ]
        assert run_match(First, argv) == 0
        server.wait()
    assert "passing over what I do not know: --turbo --fast=1" in lines(capsys)


@pytest.mark.parametrize(
    ("told", "given", "limit"),
    [(None, None, 2.0), ("0.5", None, 0.5), ("none", None, float("inf")), ("3", 1.5, 1.5)],
)
def test_the_limit_of_the_clock(told, given, limit, monkeypatch):
    seen = []

    def choose(state, clock):
        seen.append((clock.limit, clock.elapsed, clock.remaining))
        return state.legal_moves()[0]

    if told is not None:
        monkeypatch.setenv("SPIELLEITER_MOVE_SECONDS", told)
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        assert run_match(choose, server.address, move_seconds=given) == 0
    ((counted, elapsed, remaining),) = seen
    assert counted == limit
    assert elapsed >= 0
    assert remaining <= limit


def test_a_bad_limit_is_said(monkeypatch, capsys):
    monkeypatch.setenv("SPIELLEITER_MOVE_SECONDS", "soon")
    assert run_match(First, []) == Exit.USAGE
    assert "SPIELLEITER_MOVE_SECONDS is 'soon'" in one_line(capsys)
