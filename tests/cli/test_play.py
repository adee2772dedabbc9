"""``spielleiter play`` and ``spielleiter bot`` as people use them.

There are real processes, golden output, and bad bots.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import children
from spielleiter import cli
from spielleiter.arena.arena_match import WatchedPosition
from spielleiter.cli import viewer
from spielleiter.cli.human import Quit
from spielleiter.games import get_game
from spielleiter.replays import load_position

GOLDEN = Path(__file__).parent / "golden"
HARE = ("--game", "hase-und-igel-2018")
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")

BOT = "from spielleiter import Bot, run\nclass Mine(Bot):\n    def choose(self, state, clock):\n"
FIRST = "        return state.legal_moves()[0]\n"
RUN = "run(Mine)\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spielleiter(*args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "spielleiter", *args],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=60,
        check=False,
    )


def fails(*args: str) -> tuple[int, str]:
    """Run the command without a process, for what is found before any is started."""
    result = CliRunner().invoke(cli.main, ["play", *args])
    assert result.stdout == ""
    return result.exit_code, result.stderr


def untimed(text: str) -> str:
    return re.sub(r" *\d+\.\d{3} s", " #.### s", text)


def golden(name: str, text: str) -> None:
    """Compare with the golden file, or write it anew with SPIELLEITER_UPDATE_GOLDEN=1."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("SPIELLEITER_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


# -- games as they should be -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("play_blokus", ("greedy", "random", "--seed", "1")),
        ("play_hare", ("random", "greedy", "--seed", "3", *HARE)),
        ("play_result_only", ("--seed", "1", "--watch", "none")),
    ],
)
def test_golden_output(name: str, args: tuple[str, ...]) -> None:
    done = spielleiter("play", *args)
    assert (done.returncode, done.stderr) == (0, "")
    golden(name, untimed(done.stdout))


def test_the_season_is_one_flag_or_set_once(monkeypatch: pytest.MonkeyPatch) -> None:  # W118
    def title(*args: str) -> str:
        done = spielleiter("play", "random", "random", "--watch", "none", *args)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.partition(",")[0]

    assert title() == "Blokus 2021"
    assert title("--game", "blokus-2027") == "Blokus 2027"
    monkeypatch.setenv("SPIELLEITER_GAME", "hase-und-igel-2018")
    assert title() == "Hase und Igel 2018"
    assert title("--game", "blokus-2027") == "Blokus 2027"


def test_bots_of_two_seasons_are_one_clear_line() -> None:
    for name, season in (("old", "blokus-2021"), ("new", "blokus-2027")):
        Path(name).mkdir()
        Path(name, "bot.py").write_text(BOT + FIRST + f"    game = '{season}'\n")
    code, shown = fails("old", "new")
    assert (code, shown.splitlines()) == (
        2,
        [
            "spielleiter: old is a bot for Blokus 2021, and new is one for Blokus 2027",
            "  say which game they are to play: --game blokus-2021 or --game blokus-2027",
        ],
    )
    done = spielleiter("play", "old", "new", "--game", "blokus-2027", "--watch", "none")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Blokus 2027, ")


def test_one_bot_plays_against_greedy_in_the_game_it_is_for() -> None:
    Path("team").mkdir()
    Path("team/bot.py").write_text(BOT + FIRST + "    game = 'hase-und-igel-2018'\n")
    done = spielleiter("play", "team", "--watch", "none")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(
        r"Hase und Igel 2018, seed \d+: team \(Red\) against greedy \(Blue\)\n", done.stdout
    )


def test_a_replay_is_kept() -> None:
    done = spielleiter(
        "play",
        "random",
        "random",
        "--watch",
        "none",
        "--save-replays",
        "games",
        "--no-timeout",
        *HARE,
    )
    assert done.returncode == 0
    assert ", no time limit: random (Red) against random 2 (Blue)" in done.stdout
    (path,) = Path("games").iterdir()
    assert done.stdout.splitlines()[-1] == f"saved as {path}"
    assert load_position(path, 1).turn == 1


def test_a_person_plays_in_the_terminal() -> None:
    """The person types every move.

    The bot's answers are not known, so the first legal move is asked for by name.
    """
    done = spielleiter("play", "human", "random", "--seed", "1", *HARE, typed="?\nA99\nA2\nquit\n")
    assert (done.returncode, done.stderr) == (130, "")
    state = get_game("hase-und-igel-2018").start(1)
    assert all(str(move) in done.stdout for move in state.legal_moves())
    assert "That is not allowed: " in done.stdout
    assert re.search(r"  0  human   A2 .*\n  1  random  ", done.stdout)
    assert done.stdout.endswith("Red, your move: \nYou have left the game.\n")


def test_the_end_of_input_leaves_the_game() -> None:
    done = spielleiter("play", "human", "random", *HARE)
    assert (done.returncode, done.stderr) == (130, "")


@posix
def test_a_person_without_a_keyboard() -> None:
    command = f'exec "{sys.executable}" -m spielleiter play human random <&-'
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (
        1,
        "spielleiter: human needs a keyboard, and there is no input here\n",
    )


# -- bots that cannot be started -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("nowhere.py", None, "there is no file or folder nowhere.py"),
        ("gredy", None, "there is no bot 'gredy'"),
        ("bad.py", "class Mine(Bot)\n", "line 1: expected ':': class Mine(Bot)"),
        ("none.py", "print('hello')\n", "has no Bot in it"),
        ("two.py", BOT + FIRST + "class Yours(Bot): pass\n", "has 2 Bots in it: Mine, Yours"),
        (
            "hare.py",
            BOT + FIRST + "    game = 'hase-und-igel-2018'\n",
            "is a bot for Hase und Igel 2018",
        ),
    ],
)
def test_one_line_and_what_to_do(name: str, text: str | None, said: str) -> None:
    if text is not None:
        Path(name).write_text(text)
    code, shown = fails(name, "--game", "blokus-2027")
    problem, advice = shown.splitlines()
    assert code == 2
    assert problem.startswith("spielleiter: ")
    assert said in problem
    assert advice.startswith("  ")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("a", "b", "c"), "a game has two bots, and these are 3"),
        (("--game", "chess"), "there is no game 'chess'"),
        (("--reload",), "--reload needs a bot that is a file or a folder"),
        (("--seed", "x"), "'x' is not a whole number"),
        (("--watch", "radio"), "'radio' is not one of browser, terminal, none"),
        (
            ("--notes", "--watch", "none"),
            "--notes belong to the moves, which --watch none does not show",
        ),
        (("--delay", "-1"), "'-1' is not a number of seconds from 0"),
    ],
)
def test_a_wrong_command_line(args: tuple[str, ...], said: str) -> None:
    code, shown = fails(*args)
    assert code == 2
    assert said in shown


# -- bots that fail in the game --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "import socket, sys\nsys.exit('no')\n",
            "mine ended before it joined the game (exit code 1). random wins.",
        ),
        (
            BOT + "        return 1 / 0\n" + RUN,
            "mine left the game in turn 0: its program ended (exit code 1).",
        ),
        (
            BOT.replace("choose", "chose") + FIRST + RUN,
            (
                "    mine: Mine has no method choose(self, state, clock): write one that returns a "
                "move\n"
            ),
        ),
        (
            BOT + "        return state.game.parse_move('A40')\n" + RUN,
            "mine broke a rule in turn 0: ",
        ),
        (
            "import nothing_like_this\n" + BOT + FIRST,
            "mine ended before it joined the game (exit code 1). random wins.",
        ),
    ],
)
def test_a_bot_that_fails_costs_the_game_and_says_why(text: str, said: str) -> None:
    Path("mine.py").write_text(text)
    done = spielleiter("play", "mine.py", "random", "--watch", "none", *HARE)
    assert (done.returncode, done.stderr) == (1, "")
    assert said in done.stdout
    assert "The last that mine said:\n    " in done.stdout
    assert "Traceback" not in done.stdout or "ZeroDivisionError" in done.stdout


# -- bots that play on all the same ----------------------------------------------------------------

STUMBLING = (
    BOT + "        self.debug.note(f'{len(state.legal_moves())} moves')\n        print('hm')\n"
    "        return state.legal_moves()[0] if state.turn else 1 / 0\n"
    "    def fallback(self, state): return state.legal_moves()[0]\n"
    "    def on_result(self, outcome): self.debug.note('well')\n" + RUN
)
FALLBACK = (
    "1 move of mine was a fallback move, in turn 0: ZeroDivisionError: division by zero "
    "(mine.py, line 6)\n"
)


def test_a_fallback_is_loud() -> None:
    Path("mine.py").write_text(STUMBLING)
    done = spielleiter("play", "mine.py", "random", "--seed", "1", *HARE)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[1].endswith("  !!! fallback")
    assert done.stdout.count("!!! fallback") == 1
    assert FALLBACK in done.stdout
    assert "hm" not in done.stdout
    assert FALLBACK in spielleiter("play", "mine.py", "random", "--watch", "none", *HARE).stdout


def test_notes_and_output_are_shown_on_demand() -> None:
    Path("mine.py").write_text(STUMBLING)
    done = spielleiter("play", "mine.py", "random", "--seed", "1", "--notes", "--output", *HARE)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[2:4] == [
        "       !!! ZeroDivisionError: division by zero (mine.py, line 6)",
        f"       {len(get_game('hase-und-igel-2018').start(1).legal_moves())} moves",
    ]
    after = lines.index("mine after the game: well")
    assert lines[after + 1] == "mine | hm"
    assert any(line.startswith("mine ! !!! Mine.choose failed in turn 0") for line in lines[after:])
    ending = done.stdout.rpartition("\n\n")[2]
    assert re.match(r"\w+ wins, field .*\n1 move of mine was a fallback move", ending)


def test_what_bots_print_is_counted_at_the_end() -> None:
    Path("mine.py").write_text(BOT + "        print('one', 'two', sep='\\n')\n" + FIRST + RUN)
    done = spielleiter("play", "mine.py", "random", "--watch", "none", *HARE)
    moves = re.search(r"^mine: (\d+) moves", done.stdout, re.MULTILINE)
    assert moves is not None
    assert done.stdout.endswith(f"\nmine: {int(moves[1]) * 2} lines printed, --output shows them\n")


def test_the_output_of_a_bot_that_failed_is_shown_once() -> None:
    Path("mine.py").write_text(BOT + "        return 1 / 0\n" + RUN)
    done = spielleiter("play", "mine.py", "random", "--watch", "none", "--output", *HARE)
    assert done.returncode == 1
    assert done.stdout.count("Mine.choose failed in turn 0") == 1


# -- while it runs ---------------------------------------------------------------------------------


@contextmanager
def started(*args: str, **environ: str) -> Iterator[subprocess.Popen[str]]:
    with children.running(
        [sys.executable, "-m", "spielleiter", *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environ},
    ) as process:
        yield process


@posix
@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("SIGINT", 130, "interrupted"),
        ("SIGTERM", 143, "ended by SIGTERM"),
        ("SIGHUP", 129, "ended by SIGHUP"),
        ("SIGKILL", -9, ""),
    ],
)
@pytest.mark.parametrize("command", ["play", "check"])
def test_a_signal_leaves_no_bot_and_no_folder(
    command: str, name: str, code: int, said: str
) -> None:
    Path("temporary").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(children.PATIENCE)
        Path("mine.py").write_text(
            "import socket, threading\n"
            + BOT
            + f"        self.s = socket.create_connection({server.getsockname()!r})\n"
            "        threading.Event().wait()\n" + RUN
        )
        untimed = ["--no-timeout"] if command == "play" else []
        with started(
            command, "mine.py", *untimed, *HARE, TMPDIR=str(Path.cwd() / "temporary")
        ) as process:
            held, _ = server.accept()
            with held:
                held.settimeout(children.PATIENCE)
                assert len(list(Path("temporary").iterdir())) == (command == "play")
                process.send_signal(getattr(signal, name))
                out, err = process.communicate(timeout=children.PATIENCE)
                assert held.recv(1) == b""
    assert (process.returncode, err.strip()) == (code, f"spielleiter: {said}" if said else "")
    assert code < 0 or out.startswith(
        "Hase und Igel 2018, seed " if command == "play" else "mine, a "
    )
    children.wait_until(lambda: not list(Path("temporary").iterdir()))


@posix
def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """The match goes on to its end, as with nohup."""
    done = shell(
        "play random random --delay 0.001 --game hase-und-igel-2018 & p=$!; kill -HUP $p; wait $p; "
        "echo $?; }",
        before="trap '' HUP;",
    )
    assert done.stdout.endswith(b"\n0\n")


# -- outputs that cannot take it -------------------------------------------------------------------


def shell(command: str, *, before: str = "", **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a shell. Its own exit code is the last line of stderr."""
    text = f'{before} {{ "{sys.executable}" -m spielleiter {command}'
    return subprocess.run(
        ["sh", "-c", text],
        capture_output=True,
        env={**os.environ, **environ},
        timeout=60,
        check=False,
    )


@posix
@pytest.mark.parametrize("options", ["", "--delay 0.001"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_pipe_that_nobody_reads_any_more_ends_it_quietly(options: str, unbuffered: str) -> None:
    done = shell(
        f"play random random --game hase-und-igel-2018 {options}; echo $? >&2; }} | head -n 2",
        PYTHONUNBUFFERED=unbuffered,
    )
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == b"1\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("options", ["", "--watch none", "--delay 0.001"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_not_our_mistake(options: str, unbuffered: str) -> None:
    done = shell(
        f"play random random --game hase-und-igel-2018 {options}; echo $? >&2; }} >/dev/full",
        PYTHONUNBUFFERED=unbuffered,
    )
    assert done.stderr.decode().splitlines() == [
        "spielleiter: the output cannot be written: No space left on device",
        "  make room, or send it somewhere else",
        "1",
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("command", ["", "--help", "replay", "doctor --json"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_everywhere(command: str, unbuffered: str) -> None:
    done = shell(f"{command}; echo $? >&2; }} >/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert (
        done.stderr.decode().splitlines()[0]
        == "spielleiter: the output cannot be written: No space left on device"
    )
    assert done.stderr.endswith(b"\n1\n")
    assert shell(f"{command}; }} >/dev/full 2>&1", PYTHONUNBUFFERED=unbuffered).returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize(
    ("command", "code"),
    [("serve --nonsense", 2), ("--debug replay show nowhere.xml", 1), ("bot greedy -p 1", 3)],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_errors_that_cannot_be_written_keep_their_exit_code(
    command: str, code: int, unbuffered: str
) -> None:
    """Python would make it 120 when it fails to flush stderr at exit."""
    assert shell(f"{command}; }} 2>/dev/full", PYTHONUNBUFFERED=unbuffered).returncode == code


@posix
def test_a_game_without_an_output() -> None:
    done = shell("play random random --game hase-und-igel-2018 >&-; echo $? >&2; }")
    assert (done.stdout, done.stderr) == (b"", b"0\n")


@posix
def test_characters_that_the_output_lacks() -> None:
    Path("mine.py").write_text(
        "import socket, sys\nsys.stderr.buffer.write('2 \\u2192 3'.encode())\nsys.exit(1)\n"
    )
    done = shell(
        "play ./mine.py random --game hase-und-igel-2018; echo $? >&2; }",
        PYTHONIOENCODING="cp1252",
        PYTHONUTF8="0",
    )
    assert done.stderr == b"1\n"
    assert rb"2 \u2192 3" in done.stdout


@posix
def test_saving_the_file_starts_the_next_game() -> None:
    path = Path("mine.py")
    path.write_text(BOT + FIRST)
    with started("play", "mine.py", "random", "--reload", "--watch", "none", *HARE) as process:
        assert process.stdout is not None
        outputs = []
        for text in (BOT + "        return oh no\n", BOT + "        return 1 / 0\n", None):
            lines = []
            while not (line := process.stdout.readline()).startswith("Waiting"):
                assert line, "it should go on"
                lines.append(line)
            outputs.append("".join(lines))
            if text is not None:
                path.write_text(text)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert " wins, field" in outputs[0]
    assert outputs[1] == "\n"
    assert "ZeroDivisionError" in outputs[2]
    assert re.match(r"spielleiter: this is not Python: .*, line 4: .*\n  mend that line", err)
    assert err.endswith("spielleiter: interrupted\n")


@posix
def test_saving_the_file_ends_a_game_that_hangs() -> None:
    path = Path("mine.py")
    path.write_text("import threading\n" + BOT + "        threading.Event().wait()\n" + RUN)
    with started("play", "random", "mine.py", "--reload", "--no-timeout", *HARE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Hase und Igel 2018, seed ")
        assert process.stdout.readline().startswith("  0  random ")
        path.write_text(BOT + FIRST + RUN)
        assert process.stdout.readline() == "\n"
        assert process.stdout.readline() == "A bot was saved: this game ends here.\n"
        while not (line := process.stdout.readline()).startswith("Waiting"):
            assert line, "it should go on"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "\nspielleiter: interrupted\n")


@pytest.mark.parametrize(
    ("args", "patience"),
    [
        ((), 10.0),
        (("--no-timeout",), None),
        (("--join-seconds", "3"), 3.0),
        (("--join-seconds", "3", "--no-timeout"), 3.0),
    ],
)
def test_how_long_bots_are_waited_for(
    args: tuple[str, ...], patience: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float | None] = []

    async def play_arena_match(*_: object, **options: Any) -> None:
        asked.append(options["patience"].join)
        is_patient = options["server"].settings.limits.first_byte_seconds > 3600
        assert is_patient is ("--no-timeout" in args)
        raise Quit

    monkeypatch.setattr(
        import_module("spielleiter.cli.play_session"), "play_arena_match", play_arena_match
    )
    assert CliRunner().invoke(cli.main, ["play", *args]).exit_code == 130
    assert asked == [patience]


@posix
def test_on_a_terminal_the_board_grows_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    pty = pytest.importorskip("pty")
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "spielleiter", "play", "--seed", "1", "--delay", "0.001"]
    with children.running(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        received = b""
        while True:
            try:
                data = os.read(ours, 65536)
            except OSError:  # how Linux says that nobody writes any more
                break
            if not data:
                break
            received += data
        process.wait(children.PATIENCE)
    os.close(ours)
    assert process.returncode == 0
    text = received.decode()
    frames = re.findall(r"first piece PENTO_W: (\w+) ?", text)
    assert len(frames) >= 64
    assert frames[:4] == ["BLUE", "YELLOW", "RED", "GREEN"]
    assert frames[-1] == "over"
    assert "\x1b[97;44m B" in text
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")
    assert "greedy wins, 169 : 108. No colour can place another piece.\n" in plain


def test_the_clock_runs_while_a_move_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewer, "_TICK_SECONDS", 0.001)
    start = get_game("hase-und-igel-2018").start(1)

    async def watch() -> None:
        waiting: asyncio.Queue[Any] = asyncio.Queue()
        done = asyncio.Event()
        seen: list[object] = []

        class Screen:
            def show(self, watched: WatchedPosition) -> None:
                seen.append(watched)

            def tick(self, seconds: float, limit: float | None) -> None:
                seen.append((seconds >= 5, limit))
                done.set()

        showing = asyncio.create_task(viewer._show(waiting, Screen(), 0.0, 2.0))
        watched = WatchedPosition(start, None, ("one", "two"))
        waiting.put_nowait((watched, asyncio.get_running_loop().time() - 5))
        async with asyncio.timeout(30):
            await done.wait()
            waiting.put_nowait(None)
            await showing
        assert seen[:2] == [watched, (True, 2.0)]

    asyncio.run(watch())


# -- spielleiter bot -------------------------------------------------------------------------------


def test_a_bot_without_a_server() -> None:
    done = spielleiter("bot", "greedy", "-p", "1", "--connect-seconds", "0.1")
    assert done.returncode == 3
    assert done.stderr.startswith("greedy: no server answers at localhost:1 ")


@pytest.mark.parametrize("args", [("--debug", "bot", "greedy"), ("bot", "greedy", "--debug")])
def test_debug_reaches_the_bot(args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[str]] = []
    monkeypatch.setattr(
        import_module("spielleiter.cli.bot"), "run", lambda bot, argv: given.append(argv)
    )
    assert CliRunner().invoke(cli.main, [*args, "-p", "7"]).exit_code == 0
    assert CliRunner().invoke(cli.main, ["bot", "greedy"]).exit_code == 0
    assert given == [["-p", "7", "--debug", "--game", "blokus-2021"], ["--game", "blokus-2021"]]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("gredy",), "there is no bot 'gredy'"),
        (("greedy", "--game", "chess"), "there is no game 'chess'"),
        (("greedy", "-p", "x"), "'x' is not a port"),
        (("human",), "human is a human, which needs no help of ours"),
        ((), "missing argument"),
    ],
)
def test_a_bot_that_cannot_be(args: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(cli.main, ["bot", *args])
    assert result.exit_code == 2
    assert said in result.stderr


def test_an_error_while_a_file_is_loaded_is_one_line_with_its_place() -> None:
    Path("mine.py").write_text(BOT + FIRST + "import numpy_of_tomorrow.linalg\n")
    done = spielleiter("bot", "mine.py", "-p", "1")
    path = Path("mine.py").absolute()
    problem, advice = done.stderr.splitlines()
    assert done.returncode == 1
    assert problem == (
        f"spielleiter: {path}, line 5: ModuleNotFoundError: No module named 'numpy_of_tomorrow'"
    )
    assert advice.endswith("-m pip install numpy_of_tomorrow")


def test_a_bot_file_is_a_bot(tmp_path: Path) -> None:
    Path("helper.py").write_text("NAME = 'x'\n")
    for name, end in (("mine.py", ""), ("runs.py", RUN)):
        Path(name).write_text(f"import helper\n{BOT}{FIRST}{end}")
        done = spielleiter("bot", name, "--verify")
        assert (done.returncode, done.stderr) == (0, "Mine: is ready to play\n")
