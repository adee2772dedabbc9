"""On a Python that is too old, the package says so in a line instead of failing somewhere
inside.
"""

from __future__ import annotations

import ast
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import spielleiter

PACKAGE = Path(spielleiter.__file__)
OLD = ("3.8", "3.9", "3.10")


def old_pythons() -> list[str]:
    """Those this computer has, in the path or in pyenv's folder."""
    found = [shutil.which(f"python{version}") for version in OLD]
    kept = Path.home() / ".pyenv" / "versions"
    found += [str(path) for version in OLD for path in kept.glob(f"{version}.*/bin/python")]
    return [python for python in found if python and starts(python)]


def starts(python: str) -> bool:
    return (
        subprocess.run([python, "-V"], capture_output=True, timeout=60, check=False).returncode == 0
    )


def test_the_first_file_is_readable_for_old_pythons() -> None:
    ast.parse(PACKAGE.read_text("utf-8"), feature_version=(3, 8))


def test_it_says_what_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 13, "final", 0))
    monkeypatch.setattr(sys, "version", "3.10.13 (main)")
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(PACKAGE))
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines() == [
        "spielleiter: Python 3.11 or newer is needed, and this is 3.10.13",
        f"  choose a newer Python than {sys.executable}; in the contest, a newer image",
    ]


@pytest.mark.parametrize(
    "start", [["-c", "from spielleiter import Bot, run"], ["-m", "spielleiter", "play"]]
)
def test_really_old_pythons(start: list[str]) -> None:
    pythons = old_pythons()
    if not pythons:
        pytest.skip("no old Python here")
    for python in pythons:
        done = subprocess.run(
            [python, *start],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={"PYTHONPATH": str(PACKAGE.parents[1])},
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 2, done.stderr
