"""The command that plays the engine against GTP programs pairs fairly and notices disagreements.

Both programs are stand-ins with a script: every colour has one move and none after it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("fcntl", reason="the command needs Linux")

ROOT = Path(__file__).parents[1]

GTP = """
import sys
MOVES = ["a20,b20,c20,d20,e20", "t20,t19,t18,t17,t16", "t1,s1,r1,q1,p1", "a1,a2,a3,a4,a5"]
left = {}
for line in sys.stdin:
    command, *rest = line.split()
    answer = ""
    if command == "clear_board":
        left = dict(enumerate(MOVES, 1))
    elif command == "all_legal":
        answer = left.get(int(rest[0]), "")
    elif command == "play":
        del left[int(rest[0])]
    elif command == "genmove":
        answer = left.pop(int(rest[0]))
    elif command == "final_score":
        answer = "SCORE"
    print("=", answer, end="\\n\\n", flush=True)
"""

ENGINE = """
import sys
for line in sys.stdin:
    command = line.split()[0]
    print({"count": "count COUNTS", "go": "move skip"}.get(command, "ok"), flush=True)
"""


@pytest.fixture
def gtp(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    import benchmarks.gtp.__main__

    return benchmarks.gtp.__main__


@pytest.fixture
def programs(tmp_path: Path) -> list[str]:
    return stand_ins(tmp_path)


def stand_ins(folder: Path, score: str = "0", counts: str = "0 0 0 0") -> list[str]:
    """Write both programs and return the options that name them."""
    engine, other = folder / "engine.py", folder / "other.py"
    engine.write_text(ENGINE.replace("COUNTS", counts), encoding="utf-8")
    # The options of a real GTP program come after the name and are not looked at.
    other.write_text(GTP.replace("SCORE", score), encoding="utf-8")
    out = folder / "games.jsonl"
    names = [f"{sys.executable} {engine}", f"{sys.executable} {other}", str(out)]
    options = ("--engine", "--gtp", "--out")
    return [word for pair in zip(options, names, strict=True) for word in pair]


def test_a_match_is_written_down_and_goes_on(
    gtp: ModuleType, programs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # With this seed games begin with the piece of five squares in a row, as the script does.
    assert gtp.main([*programs, "--pairs", "1", "--seed", "1"]) == 0
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert [(record["pair"], record["seat"], record["margin"]) for record in records] == [
        (0, 0, 0),
        (0, 1, 0),
    ]
    assert all(record["points"] == [5, 5, 5, 5] for record in records)
    assert "W-D-L 0-2-0, Elo +0" in capsys.readouterr().out
    assert gtp.main([*programs, "--pairs", "1", "--seed", "1"]) == 0
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 2


def test_a_file_of_another_match_is_refused(
    gtp: ModuleType, programs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert gtp.main([*programs, "--pairs", "1", "--seed", "1"]) == 0
    assert gtp.main([*programs, "--pairs", "1", "--seed", "1", "--engine-ms", "7"]) == 1
    assert "other settings: engine_ms. Name another file." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("score", "counts", "said"),
    [
        ("B+3", "0 0 0 0", "The score is 0, python"),
        ("0", "3 0 0 0", "They count legal moves differently"),
    ],
)
def test_programs_that_disagree_end_the_match(
    gtp: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    score: str,
    counts: str,
    said: str,
) -> None:
    options = stand_ins(tmp_path, score, counts)
    assert gtp.main([*options, "--pairs", "1", "--seed", "1"]) == 1
    complaint = capsys.readouterr().err
    assert said in complaint
    assert "Position: play 1 a20,b20,c20,d20,e20" in complaint


def test_a_program_that_is_missing_is_named(
    gtp: ModuleType, programs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    programs[3] = "no-such-program-anywhere"
    assert gtp.main([*programs, "--pairs", "1"]) == 1
    assert "no-such-program-anywhere cannot be started" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--pairs", "0"], ["--pairs", "1", "--gtp-environment", "X"]])
def test_wrong_options_are_named(
    gtp: ModuleType, programs: list[str], wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        gtp.main([*programs, *wrong])
    assert wrong[-2] in capsys.readouterr().err


def test_the_summary_counts_pairs(gtp: ModuleType) -> None:
    def game(margin: int) -> dict[str, object]:
        return {
            "margin": margin,
            "cpu": {"engine": 1.0, "gtp": 2.0},
            "searches": {"engine": 10, "gtp": 10},
        }

    text = gtp.summary([[game(40), game(-4)], [game(10), game(2)], [game(0), game(30)]])
    assert text.startswith("W-D-L 4-1-1, Elo +191 [")
    assert "points +13.0 ± 3.6, pairs 2-0 of 3, CPU s/move 0.100 to 0.200" in text


def test_moves_survive_both_notations(gtp: ModuleType) -> None:
    from benchmarks.gtp.programs import from_gtp, to_gtp

    move = ((0, 0), (0, 1), (19, 19))
    assert from_gtp(to_gtp(move)) == move
