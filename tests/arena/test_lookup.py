"""Who is meant by what somebody types, and what is said where nobody can be."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import wheels
from spielleiter.arena import lookup
from spielleiter.arena.bots import BotError, BotKind
from spielleiter.arena.lookup import choose_game, find_bot
from spielleiter.games import DEFAULT, get_game

BLOKUS = get_game("blokus-2027")
HARE = get_game("hase-und-igel-2018")

BOT = (
    "from spielleiter import Bot\nclass Mine(Bot):\n    def choose(self, state, clock):\n    "
    "    return 1\n"
)
RUN = "from spielleiter import Bot, run\nclass Mine(Bot):\n    pass\nrun(Mine)\n"
LAUNCHER = (sys.executable, "-P", "-m", "spielleiter.launch")
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs the rights of Unix files")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str, *, executable: bool = False) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    if executable:
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file.absolute()


def problem(text: str) -> tuple[str, str]:
    with pytest.raises(BotError) as caught:
        find_bot(text, BLOKUS)
    assert "\n" not in caught.value.message
    return caught.value.message, caught.value.hint


# -- who is found ----------------------------------------------------------------------------------


def test_a_house_bot_gets_its_game_and_its_dice() -> None:
    spec = find_bot("greedy", BLOKUS)
    assert (spec.kind, spec.name) == (BotKind.HOUSE, "greedy")
    command = spec.command("h", 7, "R", 5)
    assert command[0] == sys.executable
    shown = " ".join(command[command.index("bot") :])
    assert shown == "bot greedy --game blokus-2027 --seed 5 --host h --port 7 --reservation R"


def test_a_file_that_runs_itself_is_started_as_it_is(here: Path) -> None:
    path = write("sub/mine.py", RUN)
    spec = find_bot("sub/mine.py", BLOKUS)
    assert (spec.kind, spec.name, spec.argv) == (BotKind.PYTHON, "mine", (*LAUNCHER, str(path)))
    assert (spec.folder, spec.source) == (path.parent, path)
    assert spec.command("h", 7, "R")[5:] == ["--host", "h", "--port", "7", "--reservation", "R"]


def test_a_file_with_a_bot_is_loaded_for_it() -> None:
    path = write("mine.py", BOT)
    spec = find_bot("mine.py", BLOKUS)
    assert spec.kind is BotKind.BOT_FILE
    assert spec.argv[-4:] == ("-m", "spielleiter", "bot", str(path))


@pytest.mark.parametrize(
    "text",
    [
        "import socket\n",
        "import socha\n",
        "from somewhere import player\nplayer()\n",
        "import os, sys\nos.execvp('java', sys.argv)\n",
        "from .inner import x\n",
    ],
)
def test_a_program_that_may_speak_for_itself_is_believed(text: str) -> None:
    write("own.py", text)
    spec = find_bot("own.py", BLOKUS)
    assert (spec.kind, spec.takes_seed) == (BotKind.PYTHON, False)
    assert "--seed" not in spec.command("h", 7, "R", 5)


def test_what_a_neighbour_does_counts() -> None:
    write("own.py", "import wire\nwire.go()\n")
    write("wire.py", "import own\nimport socket\n")
    assert find_bot("own.py", BLOKUS).kind is BotKind.PYTHON
    write("wire.py", "import own\nimport math\n")
    assert problem("own.py")[0].endswith("has no Bot in it")


@pytest.mark.parametrize("entry", ["bot.py", "main.py", "other.py"])
def test_a_folder_is_known_by_its_own_name(entry: str) -> None:
    path = write(f"team/{entry}", RUN)
    write("team/test_team.py", RUN)
    write("team/points.py", "import math\n")
    spec = find_bot("team", BLOKUS)
    assert (spec.name, spec.argv[-1], spec.source) == ("team", str(path), path.parent)


def test_a_vague_file_name_gives_way_to_its_folder() -> None:
    write("team/main.py", RUN)
    assert find_bot("team/main.py", BLOKUS).name == "team"


@posix
def test_a_folder_with_a_start_script() -> None:
    path = write("team/start.sh", "#!/bin/sh\n", executable=True)
    write("team/player.py", "import socket\n")
    spec = find_bot("team", BLOKUS)
    assert (spec.kind, spec.argv, spec.folder, spec.name) == (
        BotKind.PROGRAM,
        (str(path),),
        path.parent,
        "team",
    )


@posix
def test_a_program() -> None:
    path = write("player", "#!/bin/sh\n", executable=True)
    assert find_bot("./player", BLOKUS).argv == (str(path),)


def test_a_jar(monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("player.jar", "")
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert find_bot("player.jar", BLOKUS).argv == ("/bin/java", "-jar", str(path))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "needs Java" in problem("player.jar")[0]


def test_a_command_in_quotes() -> None:
    write("a folder/own.py", "")
    spec = find_bot(f"{Path(sys.executable).as_posix()} 'a folder/own.py' --deep 3", BLOKUS)
    assert (spec.kind, spec.name, spec.folder) == (BotKind.COMMAND, "own", None)
    assert spec.argv[1:] == ("a folder/own.py", "--deep", "3")


def test_a_person() -> None:
    assert find_bot("human", BLOKUS).is_human


def test_a_house_bot_wins_over_a_file_of_its_name() -> None:
    write("greedy", "")
    assert find_bot("greedy", BLOKUS).kind is BotKind.HOUSE


# -- the game a bot is for -------------------------------------------------------------------------

FOR_HARE = BOT + "    game = 'hase-und-igel-2018'\n"


def test_the_game_follows_from_the_bots() -> None:  # W118
    write("hare.py", FOR_HARE)
    write("broken.py", "def")
    write(
        "runs.py",
        FOR_HARE.replace("import Bot", "import Bot, run") + "class Other(Bot): pass\nrun(Mine)\n",
    )
    season = {"SPIELLEITER_GAME": "blokus-2027"}
    assert choose_game(None, ["greedy", "broken.py", "hare.py"], season).id == "hase-und-igel-2018"
    assert choose_game("blokus-2021", ["runs.py"], season).id == "blokus-2021"
    assert choose_game(None, ["runs.py", "hare.py"], season).id == "hase-und-igel-2018"
    assert choose_game(None, ["greedy", "broken.py", "nowhere"], season).id == "blokus-2027"
    assert choose_game(None, ["greedy", "broken.py", "nowhere"], {}).id == "blokus-2021"


def test_two_bots_for_different_games_are_told_apart() -> None:
    write("old.py", BOT + "    game = 'blokus-2021'\n")
    write("new.py", BOT + "    game = 'blokus-2027'\n")
    write("hare.py", FOR_HARE)
    with pytest.raises(BotError) as seasons:
        choose_game(None, ["old.py", "new.py"], {})
    assert (seasons.value.message, seasons.value.hint) == (
        "old.py is a bot for Blokus 2021, and new.py is one for Blokus 2027",
        "say which game they are to play: --game blokus-2021 or --game blokus-2027",
    )
    with pytest.raises(BotError) as games:
        choose_game(None, ["new.py", "hare.py"], {})
    assert games.value.hint == "choose two bots for the same game"
    assert choose_game("blokus-2027", ["old.py", "new.py"], {}) == BLOKUS


def test_a_file_with_the_name_of_a_house_bot_is_not_asked() -> None:
    write("greedy/bot.py", FOR_HARE)
    assert choose_game(None, ["greedy"], {}).id == "blokus-2021"


def test_a_folder_says_its_game_also_where_its_script_is_started() -> None:
    write("mine/bot.py", FOR_HARE.replace("import Bot", "import Bot, run") + "run(Mine)\n")
    write("mine/start.sh", "#!/bin/sh\nexec python3 bot.py\n").chmod(0o755)
    for text in ("mine", "mine/bot.py", "mine/start.sh"):
        assert choose_game(None, [text], {}) == HARE
    write("mine/bot.py", "def")
    assert find_bot("mine/start.sh", BLOKUS).game is None


@pytest.mark.parametrize("text", ["mine", "mine/bot.py", "mine/start.sh"])
def test_a_game_that_is_not_there_is_named_with_its_file(text: str) -> None:
    path = write("mine/bot.py", BOT + "    game = 'chess'\n")
    write("mine/start.sh", "#!/bin/sh\nexec python3 bot.py\n").chmod(0o755)
    with pytest.raises(BotError) as caught:
        choose_game(None, [text], {})
    assert caught.value.message.startswith(
        f"{text} is for a game that is not there: there is no game 'chess'; there "
    )
    assert "blokus-2021" in caught.value.message
    assert caught.value.hint == f"mend the line game = ... in {path.absolute()}"


def test_a_bot_for_another_game_is_refused_and_one_for_another_season_is_not() -> None:
    write("hare.py", FOR_HARE)
    assert problem("hare.py") == (
        "hare.py is a bot for Hase und Igel 2018, not for Blokus 2027",
        "play with --game hase-und-igel-2018",
    )
    assert find_bot("hare.py", HARE).game == "hase-und-igel-2018"
    write("old.py", BOT + "    game = 'blokus-2021'\n")
    assert find_bot("old.py", BLOKUS).game == "blokus-2021"
    write("odd.py", BOT + "    game: str = 'chess'\n")
    assert "there is no game 'chess'" in problem("odd.py")[0]


def test_a_house_bot_of_another_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(HARE), "players", {"random": None, "hedgehog": None})
    message, hint = problem("hedgehog")
    assert message == "hedgehog is a house bot of Hase und Igel 2018, not of Blokus 2027"
    assert "--game hase-und-igel-2018" in hint


# -- what cannot be started ------------------------------------------------------------------------


def test_a_name_that_nobody_has() -> None:
    message, hint = problem("gredy")
    assert (
        message
        == "there is no bot 'gredy': no house bot of Blokus 2027 and no file or folder of that name"
    )
    assert hint == "did you mean greedy?"
    assert problem("xyzzy")[1].startswith("house bots are random, greedy")


def test_a_file_that_is_not_there() -> None:
    write("mybot.py", BOT)
    assert problem("mybto.py") == ("there is no file or folder mybto.py", "did you mean mybot.py?")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\nclass Mine(Bot)\n    pass\n", ", line 2: expected ':': class Mine(Bot)"),
        ("x = 1\nreturn x\n", ", line 2: 'return' outside function: return x"),
        ("x = '\0'\n", "null byte"),
        ("# coding: no-such\n", "no-such"),
    ],
)
def test_not_python(text: str, said: str) -> None:
    path = write("mine.py", text)
    message, _ = problem("mine.py")
    assert message.startswith(f"this is not Python: {path}")
    assert said in message


@pytest.mark.parametrize(
    "text",
    [
        "print('hello')\n",
        "",
        "from spielleiter.games import get_game\nprint(get_game)\n",
        "class Bot: pass\n",
    ],
)
def test_no_bot_in_a_file(text: str) -> None:
    path = write("mine.py", text)
    message, hint = problem("mine.py")
    assert message == f"{path} has no Bot in it"
    assert "choose(self, state, clock)" in hint


def test_two_bots_in_a_file() -> None:
    path = write("mine.py", BOT + "class Theirs(Bot): pass\n")
    assert problem("mine.py") == (
        f"{path} has 2 Bots in it: Mine, Theirs",
        "say which one plays: put run(Mine) at its end",
    )


def test_a_bot_that_another_one_refines_is_not_a_second_one() -> None:
    write("mine.py", BOT + "class Better(Mine): pass\n")
    assert find_bot("mine.py", BLOKUS).kind is BotKind.BOT_FILE


@pytest.mark.parametrize(
    "text",
    [
        "import spielleiter\nclass Mine(spielleiter.Bot): pass\n",
        "import spielleiter as s\nclass Mine(s.client.Bot): pass\n",
        "from spielleiter.client import Bot as Base\nif True:\n    class Mine(Base): pass\n",
        "from spielleiter import *\nclass Mine(Bot): pass\n",
    ],
)
def test_a_bot_is_known_under_any_name(text: str) -> None:
    write("mine.py", text)
    assert find_bot("mine.py", BLOKUS).kind is BotKind.BOT_FILE
    call = {"s": "s.run", "spielleiter": "spielleiter.run"}
    name = next(
        (call[key] for key in call if text.startswith(f"import spielleiter as {key}\n")),
        "spielleiter.run",
    )
    write("mine.py", text + f"import spielleiter\n{name}(Mine)\n")
    assert find_bot("mine.py", BLOKUS).kind is BotKind.PYTHON


def test_several_bots_in_a_folder() -> None:
    write("team/a.py", BOT)
    write("team/b.py", RUN)
    message, hint = problem("team")
    assert message.endswith("team has 2 Bots in it: a.py, b.py")
    assert "a.py" in hint


def test_no_bot_in_a_folder() -> None:
    write("team/a.py", "import math\n")
    assert "has no Bot in it: no bot.py, main.py or start.sh" in problem("team")[0]


@posix
def test_not_executable() -> None:
    path = write("my player", "#!/bin/sh\n")
    message, hint = problem("my player")
    assert message == f"{path} is not executable"
    assert hint == f"make it so: chmod +x '{path}'"


@posix
@pytest.mark.parametrize("name", ["mybot/README.md", "notes.txt", "player.js", "empty"])
def test_a_text_is_no_bot(name: str) -> None:
    path = write(name, "" if name == "empty" else "# My bot\n")
    message, hint = problem(name)
    assert message == f"{path} is not a bot"
    assert hint.startswith("a bot is the name of a house bot, a .py file, a folder")
    assert "chmod" not in hint


@posix
@pytest.mark.parametrize(
    ("name", "data"), [("player", b"\x7fELF\x02"), ("mac", b"\xcf\xfa\xed\xfe"), ("a.sh", b"x")]
)
def test_a_program_that_may_not_be_started_could_be(name: str, data: bytes) -> None:
    Path(name).write_bytes(data)
    assert problem(name)[1].startswith("make it so: chmod +x ")


@posix
def test_a_pipe_is_no_bot_and_not_waited_for() -> None:
    os.mkfifo("pipe")
    assert problem("pipe")[0].endswith("pipe is not a bot")


@posix
@pytest.mark.parametrize(
    "text", ["team", "team/start.sh", "{path}", "{path} --fast", "sh {path}", "bash -e {path} 1"]
)
def test_line_ends_of_windows_are_named(text: str) -> None:
    path = write("team/start.sh", "#!/bin/sh\r\nexec python3 player.py\r\n", executable=True)
    message, hint = problem(text.format(path=path))
    assert (
        message
        == f"{path} has line ends of Windows (CR LF), with which Linux and macOS cannot run it"
    )
    assert hint.startswith("save it with line ends LF in your editor, or: perl ")
    if shutil.which("perl"):
        subprocess.run(["sh", "-c", hint.partition("or: ")[2]], check=True)
        assert path.read_bytes() == b"#!/bin/sh\nexec python3 player.py\n"
        find_bot(text.format(path=path), BLOKUS)


@posix
def test_python_does_not_mind_them() -> None:
    write("mine.py", "#!/usr/bin/env python3\r\n" + RUN.replace("\n", "\r\n"), executable=True)
    assert find_bot("mine.py", BLOKUS).kind is BotKind.PYTHON
    assert find_bot(f"{sys.executable} mine.py", BLOKUS).kind is BotKind.COMMAND


@posix
def test_a_script_whose_program_is_not_here() -> None:
    path = write("player", "#!/usr/bin/no-such-shell -e\n", executable=True)
    message, hint = problem("./player")
    assert (
        message
        == f"{path} is to be run by /usr/bin/no-such-shell, as its first line says, which is not "
        "here"
    )
    assert hint.startswith("install that, or change the first line")


@pytest.mark.parametrize("text", ["~nosuch", "~nosuch/mine.py"])
def test_a_user_that_is_not_there(text: str) -> None:
    assert text in problem(text)[0]
    assert choose_game(None, [text], {}).id == DEFAULT


def test_windows_starts_programs_by_their_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup.sys, "platform", "win32")
    write("start.sh", "")
    assert "not a program that Windows can start" in problem("start.sh")[0]
    path = write("player.exe", "")
    assert find_bot("player.exe", BLOKUS).argv == (str(path),)


def test_commands_that_cannot_work() -> None:
    assert (
        problem("no-such-program -x")[0]
        == "there is no program 'no-such-program' to start 'no-such-program -x' with"
    )
    assert "quotation" in problem("python 'x")[1]


def test_names_no_system_can_have() -> None:
    assert "there is no" in problem("a\0b")[0]
    assert "there is no" in problem("x" * 5000)[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names, as Unix has them")
def test_a_pipe_is_not_waited_for() -> None:
    os.mkfifo("mine.py")
    assert problem("mine.py")[0].endswith("mine.py cannot be read: it is a pipe, not a file")
    assert choose_game(None, ["mine.py"], {}).id == DEFAULT


def test_a_file_nobody_can_have_written_is_not_parsed() -> None:
    write("huge.py", "x = 1\n" * 800_000)
    assert "more than 4 MiB" in problem("huge.py")[0]


# The bot that needs the engine


def test_the_bot_of_the_engine_says_what_to_install() -> None:
    game = get_game("blokus-2027")
    with wheels.fake_wheel():
        assert find_bot("master", game).name == "master"
    with wheels.no_wheel(), pytest.raises(BotError) as caught:
        find_bot("master", game)
    assert str(caught.value) == "master plays with the engine. The engine is not installed."
    assert "pip install spielleiter-engine" in caught.value.hint
