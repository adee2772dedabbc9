"""Bots in bash, C, Java and Python in one tournament, each started as a pupil would start it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from spielleiter.arena.runs.saved_run import read_run
from spielleiter.arena.store.check import check_store

BOTS = Path(__file__).with_name("bots")
EXAMPLES = Path(__file__).parents[2] / "examples"
MISSING = [program for program in ("bash", "cc", "java") if shutil.which(program) is None]
CUP = """
game = "hase-und-igel-2018"
form = "double-round-robin"
games = 1
seed = 3
time = 60  # Java takes its time to warm up

[[bot]]
name = "Sheila (bash)"
start = "bash walker.sh"

[[bot]]
name = "Carl (C)"
start = "./walker"

[[bot]]
name = "Jo & Co (Java)"
start = "java -Xshare:auto -XX:TieredStopAtLevel=1 Walker.java"

[[bot]]
name = "Paula (Python)"
start = "hare_bot.py"
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash and the sockets of C")
@pytest.mark.skipif(bool(MISSING), reason=f"there is no {' and no '.join(MISSING)}")
def test_bots_in_four_languages_play_one_tournament(tmp_path: Path) -> None:
    shutil.copytree(BOTS, tmp_path, dirs_exist_ok=True)
    shutil.copy(EXAMPLES / "hare_bot.py", tmp_path)
    compile_it = ["cc", "-O1", "-o", str(tmp_path / "walker"), str(tmp_path / "walker.c")]
    subprocess.run(compile_it, check=True, timeout=300)
    (tmp_path / "cup.toml").write_text(CUP, encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "spielleiter", "tournament", str(tmp_path / "cup.toml")),
            *("--out", str(tmp_path / "run"), "--json", "--parallel", "2"),
        ],
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)["table"]
    assert len(table) == 4
    results = [match.result for match in read_run(tmp_path / "run").matches.values()]
    assert len(results) == 12
    # Nobody crashed, and nobody broke a rule.
    assert all(result and result.outcome.is_regular for result in results), done.stderr
    assert check_store(tmp_path / "run") == []
