"""Positions from files are for the whole server, or for one request."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from server.stage import Stage
from server.test_lobby import ADMIN, BLOKUS_21, BLOKUS_27, prepare
from spielleiter.games import get_game
from spielleiter.server import Server, ServerError, Settings
from spielleiter.server.start_positions import LARGEST_REPLAY, load_for_request, load_for_server
from spielleiter.wire.errors import ReplayError


def test_a_server_that_cannot_read_its_position_says_why(tmp_path: Path) -> None:
    path = tmp_path / "nothing.xml"
    with pytest.raises(ServerError, match=r"cannot load a position from .*nothing\.xml: "):
        load_for_server(path, None)
    with pytest.raises(ServerError, match=r"cannot load a position from .*nothing\.xml: "):
        Server(Settings(load=path))


@pytest.mark.parametrize("folder", [None, Path("replays")])
def test_a_request_reads_nothing_outside_the_replay_folder(folder: Path | None) -> None:
    error = load_for_request(folder, "../secret.xml", None)
    assert isinstance(error, ReplayError)
    assert str(error) == "'../secret.xml' is not a file in the server's replay folder"


@pytest.mark.parametrize(
    "name", ["", "a" * 300, "..", "a/b", "nul\x00l".replace("\x00", ""), "nothing.xml"]
)
def test_names_of_files_to_load_are_checked(tmp_path: Path, name: str) -> None:
    stage = Stage(save_replays=tmp_path)
    admin = stage.line(ADMIN)
    admin.say(f'<prepare gameType="{BLOKUS_27}" load="{name}"><slot/><slot/></prepare>')
    assert "replay folder" in admin.packets[0]
    prepare(admin)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names, as Unix has them")
def test_a_pipe_is_not_loaded_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.xml")
    stage = Stage(save_replays=tmp_path)
    admin = stage.line(ADMIN)
    admin.say(f'<prepare gameType="{BLOKUS_27}" load="game.xml"><slot/><slot/></prepare>')
    assert "a pipe, not a file" in admin.packets[0]
    prepare(admin)


def test_what_unpacks_to_more_than_a_game_is_not_loaded(tmp_path: Path) -> None:
    bomb = b"<protocol>" + b" " * LARGEST_REPLAY
    (tmp_path / "bomb.xml.gz").write_bytes(gzip.compress(bomb, 1))
    (tmp_path / "plain.xml").write_bytes(bomb)
    stage = Stage(save_replays=tmp_path)
    admin = stage.line(ADMIN)
    for name in ("bomb.xml.gz", "plain.xml"):
        admin.say(f'<prepare gameType="{BLOKUS_27}" load="{name}"><slot/><slot/></prepare>')
        assert "more than 8 MiB" in admin.packets[-1]
    prepare(admin)


def test_a_loaded_game_has_the_rules_that_were_asked_for() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    state = get_game("blokus-2021").start(1)
    stage.start_from(state)
    for variant in ("blokus-2021", "blokus-2021-official"):
        room, _ = prepare(admin, f' variant="{variant}"', game_type=BLOKUS_21)
        assert stage.server.lobby.rooms[room].referee.state.game.id == variant
