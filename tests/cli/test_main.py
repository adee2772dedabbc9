"""The command: help without loading anything, errors as one line, settings from every flag."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import click
import pytest
from click.testing import CliRunner, Result

import spielleiter
from spielleiter import cli, games
from spielleiter.cli.errors import CliError
from spielleiter.server import ServerError, kinds
from spielleiter.server.limits import ServerLimits
from spielleiter.server.settings import SPECS, Settings, Spec


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder, no variables of ours, and games by name alone."""
    monkeypatch.chdir(tmp_path)
    for key in SPECS:
        monkeypatch.delenv(f"SPIELLEITER_{key.upper()}", raising=False)
    codecs = {"2021-newest": None, "2021-oldest": None}
    names = ("blokus-2021", "blokus-2021-official")
    shelf = tuple(
        SimpleNamespace(id=name, game_type="swc_2021_blokus", codecs=codecs) for name in names
    )
    monkeypatch.setattr(games, "_HOUSE", ())
    monkeypatch.setattr(games, "_installed", lambda: shelf)


SEE_PLAY = "  see: spielleiter play --help"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """What the server would have been started with."""
    calls: list[Settings] = []

    def serve(settings: Settings, beside: object = None) -> int:
        calls.append(settings)
        return 0

    monkeypatch.setattr(serve_module(), "serve", serve)
    return calls


def serve_module() -> ModuleType:
    return import_module("spielleiter.cli.serve")


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, args)


def serve_fails(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def serve(settings: Settings, beside: object = None) -> int:
        raise error

    monkeypatch.setattr(serve_module(), "serve", serve)


# -- the group -------------------------------------------------------------------------------------


def test_version_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "spielleiter", "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert (done.stdout, done.stderr) == (f"spielleiter {spielleiter.__version__}\n", "")


def test_help_loads_no_subcommand_and_no_server() -> None:
    program = (
        "import sys; from spielleiter.cli import main; main(['--help'], standalone_mode=False);"
        "print([name for name in sys.modules if name in ('asyncio', 'rich') or "
        "name.startswith(('spielleiter.server',"
        " 'spielleiter.games', 'spielleiter.cli.')) and name != 'spielleiter.cli.errors'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert "Exit codes:" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_lists_the_commands_whose_file_is_there() -> None:
    folder = Path(cli.__file__).parent
    listed = [
        name
        for name in cli.SUBCOMMANDS
        if (folder / f"{name}.py").exists() or (folder / name).is_dir()
    ]
    assert "serve" in listed
    shown = run("--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in shown.splitlines()] == listed
    for name in listed:
        assert cli.SUBCOMMANDS[name] in shown


def test_every_listed_command_loads_and_explains_itself() -> None:
    for name in cli.main.list_commands(click.Context(cli.main)):
        result = run(name, "--help")
        assert result.exit_code == 0, name
        assert result.stdout.startswith(f"Usage: spielleiter {name} "), name


@pytest.mark.parametrize(
    ("args", "lines"),
    [
        (
            ("sevre",),
            [
                "spielleiter: there is no command 'sevre'; did you mean serve?",
                "  see: spielleiter --help",
            ],
        ),
        (
            ("serve", "x"),
            [
                "spielleiter: too many arguments: x",
                "  usage: spielleiter serve [OPTIONS]; see: spielleiter serve --help",
            ],
        ),
        (
            ("new", "a", "b", "c"),
            [
                "spielleiter: too many arguments: b c",
                "  usage: spielleiter new [OPTIONS] NAME; see: spielleiter new --help",
            ],
        ),
        (
            ("check",),
            [
                "spielleiter: missing argument BOT",
                "  usage: spielleiter check [OPTIONS] BOT; see: spielleiter check --help",
            ],
        ),
        (
            ("replay", "show"),
            [
                "spielleiter: missing argument FILE_OR_FOLDER",
                (
                    "  usage: spielleiter replay show [OPTIONS] FILE_OR_FOLDER...; see: "
                    "spielleiter "
                    "replay show --help"
                ),
            ],
        ),
        *(
            (
                args,
                [
                    f"spielleiter: {said}",
                    "  see: " + " ".join(("spielleiter", *args[:depth], "--help")),
                ],
            )
            for depth, args, said in (
                (0, ("PLAI",), "there is no command 'PLAI'; did you mean play?"),
                (1, ("play", "--gmae", "x"), "there is no option --gmae; did you mean --game?"),
                (1, ("play", "-x"), "there is no option -x"),
                (1, ("play", "--seed", "x"), "--seed: 'x' is not a whole number from 0 on"),
                (1, ("play", "--seed", "1.5"), "--seed: '1.5' is not a whole number from 0 on"),
                (1, ("play", "--seed", "-1"), "--seed: -1 is not a whole number from 0 on"),
                (1, ("play", "--seed"), "--seed needs a value: a whole number from 0 on"),
                (1, ("play", "--game"), "--game needs a value: --game ID"),
                (1, ("play", "--output=yes"), "--output takes no value"),
                (
                    1,
                    ("play", "--watch", "tv"),
                    "--watch: 'tv' is not one of browser, terminal, none",
                ),
                (
                    1,
                    ("check", "greedy", "--games", "0"),
                    "--games: 0 is not a whole number from 1 on",
                ),
                (
                    1,
                    ("doctor", "--port", "70000"),
                    "--port: 70000 is not a whole number from 1 to 65535",
                ),
                (2, ("replay", "show", "--turn"), "--turn needs a value: a whole number from 0 on"),
                (
                    2,
                    ("replay", "show", "a", "--turn", "x"),
                    "--turn: 'x' is not a whole number from 0 on",
                ),
                (
                    1,
                    ("replay", "play"),
                    "there is no command 'play'; there are html, list, show, verify",
                ),
                (1, ("serve", "--gzip=maybe"), "--gzip takes no value"),
                (1, ("serve", "--port"), "--port needs a value: --port PORT"),
                (0, ("--gmae",), "there is no option --gmae"),
            )
        ),
        *(
            (
                ("play", option, value),
                [f"spielleiter: {option}: {value!r} is not {allowed}", SEE_PLAY],
            )
            for option, allowed in (
                ("--delay", "a number of seconds from 0 to 1000000, such as 0.5"),
                ("--join-seconds", "a number of seconds above 0, up to 1000000, such as 0.5"),
            )
            for value in ("x", "-1", "nan", "inf", "1e9")
        ),
        (
            ("play", "--watch", "none", "--delay", "1"),
            [
                "spielleiter: --delay is for moves that are shown, and --watch none shows none",
                SEE_PLAY,
            ],
        ),
        (
            ("play", "--save-replays", ""),
            ["spielleiter: --save-replays: '' is not the path of a folder", SEE_PLAY],
        ),
    ],
)
def test_a_wrong_command_line_is_one_line_and_what_to_do(
    args: tuple[str, ...], lines: list[str]
) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout, result.stderr.splitlines()) == (2, "", lines)


def test_an_unknown_command_unlike_any_lists_those_there_are() -> None:
    assert "there is no command 'xyz'; there are " in run("xyz").stderr


def test_an_unknown_option() -> None:
    result = run("serve", "--prot", "1")
    assert result.exit_code == 2
    assert result.stderr.startswith("spielleiter: there is no option --prot; did you mean --port?")
    assert "--port" in result.stderr


@pytest.mark.parametrize(
    "command", [(), ("replay",), ("replay", "show"), ("play",), ("new",), ("serve",), ("bot",)]
)
def test_help_can_be_asked_for_in_any_way(command: tuple[str, ...]) -> None:
    expected = run(*command, "--help")
    assert (expected.exit_code, expected.stderr) == (0, "")
    assert expected.stdout.startswith(" ".join(("Usage: spielleiter", *command)))
    ways = [(*command, "-h"), ("help", *command), (*command[:-1], "help", *command[-1:])]
    ways += [("help", *command, "-h"), ("help", *command, "--help")]
    for way in ways:
        result = run(*way)
        assert (result.exit_code, result.stderr, result.stdout) == (0, "", expected.stdout), way


def test_help_for_what_is_not_there() -> None:
    result = run("help", "plya")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("spielleiter: there is no command 'plya'; did you mean play?\n")


def test_the_host_of_a_bot_is_still_its_host() -> None:
    result = run("bot", "greedy", "-h")
    assert (result.exit_code, result.stdout) == (2, "")
    assert (
        result.stderr
        == "spielleiter: -h/--host needs a value; help is --help\n  see: spielleiter bot --help\n"
    )


def test_a_file_where_a_folder_should_be() -> None:
    Path("taken").write_text("")
    result = run("play", "--save-replays", "taken")
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "spielleiter: --save-replays: 'taken' is there already and is not a folder\n"
    )


@pytest.mark.parametrize("args", [(), ("replay",)])
def test_a_group_alone_explains_itself(args: tuple[str, ...]) -> None:
    assert run(*args).stdout == run(*args, "--help").stdout != ""
    assert (run(*args).exit_code, run(*args).stderr) == (0, "")


def test_a_cli_error_is_its_message_hint_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    serve_fails(monkeypatch, CliError("port 13050 is taken", "choose another one with --port", 7))
    result = run("serve")
    assert result.exit_code == 7
    assert result.stderr == "spielleiter: port 13050 is taken\n  choose another one with --port\n"


def test_a_server_that_cannot_start_is_no_mistake_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    serve_fails(monkeypatch, ServerError("cannot listen on localhost:1: it is taken"))
    result = run("serve")
    assert (result.exit_code, result.stderr) == (
        1,
        "spielleiter: cannot listen on localhost:1: it is taken\n",
    )


@pytest.mark.parametrize("args", [("--debug", "serve"), ("serve", "--debug")])
def test_a_traceback_only_with_debug(
    monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...]
) -> None:
    serve_fails(monkeypatch, RuntimeError("odd\nthing"))
    result = run("serve")
    assert result.exit_code == 1
    first, second = result.stderr.splitlines()
    assert first == "spielleiter: unexpected RuntimeError: odd thing"
    assert "--debug" in second
    loud = run(*args)
    assert loud.exit_code == 1
    assert "Traceback" in loud.stderr
    assert "in serve" in loud.stderr
    assert "Traceback" not in run("serve").stderr


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    serve_fails(monkeypatch, KeyboardInterrupt())
    result = run("serve")
    assert result.exit_code == 130
    assert result.stderr.strip() == "spielleiter: interrupted"


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(name: str) -> object:
        raise ModuleNotFoundError(f"No module named 'rich' for {name}", name="rich")

    monkeypatch.setattr(cli, "import_module", import_module)
    result = run("serve")
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "spielleiter: serve needs the package rich, which is not installed\n"
    )
    assert run("--help").exit_code == 0


def test_a_module_of_our_own_that_is_missing_is_our_mistake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def import_module(name: str) -> object:
        raise ModuleNotFoundError("No module", name="spielleiter.lost")

    monkeypatch.setattr(cli, "import_module", import_module)
    assert "unexpected ModuleNotFoundError" in run("serve").stderr


def test_the_exit_code_is_what_the_command_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve_module(), "serve", lambda settings, beside: 1)
    assert run("serve").exit_code == 1


# -- serve -----------------------------------------------------------------------------------------


def test_serve_without_anything(served: list[Settings]) -> None:
    result = run("serve")
    assert (result.exit_code, result.output) == (0, "")
    assert served == [Settings()]


def other_value(spec: Spec) -> tuple[str, object]:
    """Something else than the default: as it is typed, as it should arrive."""
    match spec.kind, spec.default:
        case (kinds.PASSWORD, _) | (kinds.TEXT, "localhost"):
            return "127.0.0.1", "127.0.0.1"
        case kinds.NAMES, _:
            return "blokus-2021-official", ("blokus-2021-official",)
        case kinds.FOLDERS, _:
            return "old", ("old",)
        case ((kinds.FILE | kinds.FOLDER), _):
            return "thing", Path("thing")
        case (kinds.SECONDS, _):
            return str(spec.default + 0.5), spec.default + 0.5
        case _, int() | None:
            return str((spec.default or 0) + 1), (spec.default or 0) + 1
    others = {
        "web_host": "::1",
        "revision": "2021-oldest",
        "log_level": "debug",
        "game": "blokus-2021-official",
    }
    return others[spec.key], None


@pytest.mark.parametrize("spec", SPECS.values(), ids=lambda spec: spec.key)
def test_every_setting_has_a_flag_that_sets_it(spec: Spec, served: list[Settings]) -> None:
    if spec.key in ("load", "turn"):
        Path("thing").write_text("a replay")
    extra = ("--load", "thing") if spec.key == "turn" else ()
    for flag in (part for part in spec.flags if part.startswith("-")):
        if spec.kind is kinds.BOOLEAN:
            yes, no = flag.split("/")
            for word, value in ((yes, True), (no, False)):
                assert run("serve", word).exit_code == 0
                assert getattr(served.pop(), spec.name) is value
            continue
        typed, value = other_value(spec)
        result = run("serve", flag, typed, *extra)
        assert (result.exit_code, result.output) == (0, "")
        settings = served.pop()
        owner = settings.limits if spec.is_limit else settings
        assert getattr(owner, spec.name) == (typed if value is None else value) != spec.default


def test_serve_help_explains_every_setting() -> None:
    text = " ".join(run("serve", "--help").stdout.split())
    for spec in SPECS.values():
        assert spec.help in text
        assert f"{spec.section}: -" in text


def test_files_in_the_working_directory_are_used(served: list[Settings]) -> None:
    Path("server.properties").write_text("password = p\nport = 1\npaused = true\n")
    Path("spielleiter.toml").write_text("[server]\nport = 2\n[server.limits]\nrooms = 3\n")
    assert run("serve", "--no-paused").exit_code == 0
    assert served == [Settings(password="p", port=2, limits=ServerLimits(rooms=3))]


def test_files_named_are_used_instead(served: list[Settings]) -> None:
    Path("server.properties").write_text("port = 1\n")
    Path("other.properties").write_text("password = p\n")
    Path("other.toml").write_text("[server]\nturn = 3\nload = 'other.toml'\n")
    assert run("serve", "--properties", "other.properties", "--config", "other.toml").exit_code == 0
    assert served == [Settings(password="p", turn=3, load=Path("other.toml"))]


@pytest.mark.parametrize(
    ("args", "folder"),
    [
        (("--saveReplay",), "replays"),
        (("--saveReplay", "true"), "replays"),
        (("--saveReplay", "--no-timeout"), "replays"),
        (("--saveReplay", "--save-replays", "games"), "games"),
    ],
)
def test_replays_as_the_official_servers_spell_it(
    args: tuple[str, ...], folder: str, served: list[Settings]
) -> None:
    assert run("serve", *args).exit_code == 0
    assert [settings.save_replays for settings in served] == [Path(folder)]


def test_notes_are_in_the_log(served: list[Settings]) -> None:
    Path("server.properties").write_text("password = p\nprot = 1\n")
    result = run("serve", "--plugins", "x")
    first, second = result.stderr.splitlines()
    assert (
        "WARNING server.properties, line 2: prot is unknown and ignored; did you mean port?"
        in first
    )
    assert "WARNING --plugins has no effect" in second
    assert len(served) == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--port", "x"), "command line: --port: 'x' is not a whole number from 0 to 65535"),
        (("--config", "none.toml"), "none.toml: file: cannot be read: "),
        (
            ("--host", "*"),
            "settings: password: everyone who can reach * knows the example password",
        ),
    ],
)
def test_wrong_settings_start_nothing(
    args: tuple[str, ...], message: str, served: list[Settings]
) -> None:
    result = run("serve", *args)
    assert (result.exit_code, served) == (2, [])
    assert result.stderr.startswith(f"spielleiter: {message}")
    assert result.stderr.endswith("  see: spielleiter serve --help\n")


def test_the_environment_counts(served: list[Settings], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELLEITER_PASSWORD", "other")
    assert run("serve", "--host", "*").exit_code == 0
    assert served == [Settings(host="*", password="other")]
