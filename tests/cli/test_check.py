"""The command check: what it prints, what it refuses, what the shell learns."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from spielleiter import cli
from spielleiter.arena.exam.steps import STEP_TITLES, CheckPlan, StepResult, Verdict
from spielleiter.cli import check as module

PYTHON = sys.executable.replace("\\", "/")


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, charset: str = "utf-8") -> Result:
    return CliRunner(charset=charset).invoke(cli.main, ["check", *args])


class Examiner:
    """Stands in for the examination: says what it was asked for, and gives the verdicts it was told
    to.
    """

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = verdicts or (Verdict.PASSED,) * 10
        self.asked: dict[str, object] = {}

    async def __call__(self, spec, game, *, report, progress, **asked) -> list[StepResult]:  # type: ignore[no-untyped-def]
        self.asked = {"bot": spec.name, "game": game.id, **asked}
        results = []
        for number, (title, verdict) in enumerate(zip(STEP_TITLES, self.verdicts, strict=False), 1):
            progress("something")
            words = ("\x1b[31mboom\x1b[0m",) if verdict is Verdict.FAILED else ()
            results.append(StepResult(number, title, verdict, "this", "thät\ttoo", words))
            report(results[-1])
        return results


@pytest.fixture
def examiner(monkeypatch: pytest.MonkeyPatch) -> Examiner:
    found = Examiner()
    monkeypatch.setattr(module, "check_bot", found)
    return found


def test_a_bot_that_does_its_duties() -> None:
    """The real thing, once: the others only look at how it is said."""
    result = run("random", "--game", "hase-und-igel-2018", "--quick")
    assert (result.exit_code, result.stderr) == (0, ""), result.stdout
    lines = result.stdout.splitlines()
    assert lines[0] == "random, a house bot, plays Hase und Igel 2018:"
    assert lines[1:31:3] == [
        f"{number:>2} ✓ {title}" for number, title in enumerate(STEP_TITLES, 1)
    ]
    assert all(line.startswith("     expected: ") for line in lines[2:31:3])
    assert all(line.startswith("     came:     ") for line in lines[3:31:3])
    assert lines[31:] == ["All 10 duties are done."]


def test_a_program_that_is_no_bot() -> None:
    Path("talk.py").write_text("raise SystemExit('I am no bot')")
    result = run(f'"{PYTHON}" talk.py')
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert (
        lines[0]
        == "talk, a command, plays Blokus 2021 (it does not say which game it is for: see --game):"
    )
    assert lines[1:6] == [
        " 1 ✗ starts",
        "     expected: the program starts and stays",
        "     came:     it ended before it connected (exit code 1)",
        "     the last it said:",
        "       I am no bot",
    ]
    assert lines[-1] == "0 of 10 duties are done. Failed: 1 (starts)."


def test_what_is_failed_and_what_is_not_judged(examiner: Examiner) -> None:
    examiner.verdicts = (Verdict.PASSED, Verdict.FAILED, Verdict.SKIPPED)
    result = run("greedy")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[1:] == [
        " 1 ✓ starts",
        "     expected: this",
        "     came:     thät    too",
        " 2 ✗ joins",
        "     expected: this",
        "     came:     thät    too",
        "     the last it said:",
        "       boom",
        " 3 · answers in time",
        "     expected: this",
        "     came:     thät    too",
        "1 of 3 duties are done. Failed: 2 (joins).",
    ]


@pytest.mark.parametrize(("end", "notes"), [("\n", 0), ("\r\n", 1)])
def test_a_start_script_that_the_contest_cannot_run(
    end: str, notes: int, examiner: Examiner
) -> None:
    assert CliRunner().invoke(cli.main, ["new", "mybot"]).exit_code == 0
    script = Path("mybot/start.sh")
    script.write_bytes(script.read_bytes().replace(b"\n", end.encode()))
    lines = run("mybot").stdout.splitlines()
    said = [line for line in lines if "start.sh has line ends of Windows (CR LF)" in line]
    assert len(said) == notes


def test_a_terminal_that_has_only_ascii(examiner: Examiner) -> None:
    examiner.verdicts = (Verdict.PASSED, Verdict.FAILED, Verdict.SKIPPED)
    lines = run("greedy", charset="ascii").stdout.splitlines()
    assert lines[1] == " 1 ok starts"
    assert lines[3] == r"     came:     th\xe4t    too"
    assert lines[4] == " 2 FAILED joins"
    assert lines[9] == " 3 not judged answers in time"


@pytest.mark.parametrize(
    ("args", "plan"),
    [
        ((), CheckPlan(1)),
        (("--games", "3"), CheckPlan(3)),
        (("--quick",), CheckPlan(1, most_matches=2)),
    ],
)
def test_how_much_is_tried(args: tuple[str, ...], plan: CheckPlan, examiner: Examiner) -> None:
    assert run("greedy", *args).exit_code == 0
    assert examiner.asked == {
        "bot": "greedy",
        "game": "blokus-2021",
        "plan": plan,
        "revision": None,
    }


def test_the_bot_says_which_game_it_plays(examiner: Examiner) -> None:
    source = 'from spielleiter import Bot, run\nclass B(Bot):\n    game = "blokus-2021"\nrun(B)\n'
    Path("mine.py").write_text(source)
    assert run("mine.py").stdout.splitlines()[0] == "mine, a Python program, plays Blokus 2021:"
    assert examiner.asked["game"] == "blokus-2021"
    run("mine.py", "--revision", "2021-oldest")
    assert examiner.asked["revision"] == "2021-oldest"


@pytest.mark.parametrize(
    ("args", "lines"),
    [
        (("human",), ["spielleiter: people have no duties here", "  name a bot"]),
        (
            ("greedy", "--game", "chess"),
            ["spielleiter: there is no game 'chess'", "  choose one of them with --game"],
        ),
        (("gredy",), ["spielleiter: there is no bot 'gredy'", "  did you mean greedy?"]),
        (
            ("greedy", "--revision", "1999"),
            ["spielleiter: Blokus 2021 has no revision '1999'", "  there are: "],
        ),
        (
            ("greedy", "--games", "0"),
            [
                "spielleiter: --games: 0 is not a whole number from 1 on",
                "  see: spielleiter check --help",
            ],
        ),
    ],
)
def test_what_cannot_be_checked(
    args: tuple[str, ...], lines: list[str], examiner: Examiner
) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    said = result.stderr.splitlines()
    assert len(said) == 2
    assert all(line.startswith(start) for line, start in zip(said, lines, strict=True)), said
    assert not examiner.asked
