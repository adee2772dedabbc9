"""``make`` and ``.ci/run`` as a fresh machine meets them; their installers are played by
scripts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("make") or not shutil.which("bash"),
    reason="needs make and bash",
)

PYTHON = """#!/bin/sh
case "$2" in
venv)
    {venv}
    mkdir -p .venv/bin
    touch .venv/pyvenv.cfg
    printf '#!/bin/sh\\necho "{installer}" >&2\\nexit 1\\n' >.venv/bin/python
    chmod +x .venv/bin/python;;
esac
"""
FETCHING = "Spielleiter: fetching packages into .venv, once ..."
UNREACHABLE = (
    "Spielleiter: packages must be fetched once, and the package index cannot be reached: "
    "connect to the network and try again (.venv.log has more)"
)


def script(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def make_play(folder: Path, installer: str = "", venv: str = "") -> list[str]:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    python = script(folder / "python", PYTHON.format(installer=installer, venv=venv))
    done = subprocess.run(
        ["make", "play", f"PYTHON={python}", "UV="],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"]
        },  # without what a make that runs the tests tells those below it
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr  # that of make itself
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "said",
    [
        (
            "WARNING: Retrying after connection broken by NewConnectionError(Connection "
            "refused)\\nERROR: x"
        ),
        (
            "ERROR: Could not find a version that satisfies\\nERROR: No matching distribution "
            "found "
            "for hatchling>=1.24"
        ),
        "error: Failed to fetch: http://example.org/simple/\\n  Caused by: dns error",
    ],
)
def test_play_without_a_network_says_what_it_needs(tmp_path: Path, said: str) -> None:
    assert make_play(tmp_path, said) == [FETCHING, UNREACHABLE]
    assert (tmp_path / ".venv.log").read_text() == said.replace("\\n", "\n") + "\n"


def test_play_where_packages_cannot_be_installed(tmp_path: Path) -> None:
    assert make_play(tmp_path, "Traceback ...\\nOSError: No space left on device") == [
        FETCHING,
        (
            "Spielleiter: the packages cannot be installed: OSError: No space left on device "
            "(.venv.log has more)"
        ),
    ]


def test_play_where_no_environment_can_be_made(tmp_path: Path) -> None:
    lines = make_play(
        tmp_path,
        venv="mkdir .venv; echo 'ensurepip is not available.'; echo 'On Debian ...'; exit 1",
    )
    assert lines == [
        FETCHING,
        "Spielleiter: .venv cannot be made: ensurepip is not available. (.venv.log has more)",
    ]
    assert not (tmp_path / ".venv").exists(), "the next try begins anew"


def add_what_ci_would_install(folder: Path) -> None:
    """Have programs here that CI looks for, so that it installs nothing on this machine."""
    for name in ("chromium", "npm"):
        script(folder / name, "#!/bin/sh\n")


def test_ci_sees_nothing_of_the_machines_environment(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    (tmp_path / "bin").mkdir()
    script(tmp_path / "bin" / "make", '#!/bin/sh\necho "make $*"\nenv\n')
    add_what_ci_would_install(tmp_path / "bin")
    path = f"{tmp_path / 'bin'}:/usr/local/bin:/usr/bin:/bin"
    environment = {
        "PATH": path,
        "HOME": "/nowhere",
        "PYTHONUNBUFFERED": "1",
        "SPIELLEITER_PORT": "1",
        "MAKEFLAGS": "-i",
    }
    done = subprocess.run(
        [tmp_path / ".ci" / "run"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    check, _, rest = done.stdout.removeprefix("make check\n").partition("make test\n")
    test, _, browser = rest.partition("make browser\n")
    browser = browser.replace("BROWSER_TESTS=required\n", "", 1)
    expected = {
        f"PATH={path}",
        "HOME=/nowhere",
        "LANG=C.UTF-8",
        "LC_ALL=C.UTF-8",
        "HYPOTHESIS_PROFILE=ci",
    }
    shells_own = ("PWD=", "OLDPWD=", "SHLVL=", "_=")
    for seen in (check, test, browser):
        assert {line for line in seen.splitlines() if not line.startswith(shells_own)} == expected


def test_ci_fails_with_what_it_runs(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    (tmp_path / "bin").mkdir()
    add_what_ci_would_install(tmp_path / "bin")
    for failing in ("check", "test", "browser"):
        script(tmp_path / "bin" / "make", f'#!/bin/sh\ntest "$1" != {failing}\n')
        path = f"{tmp_path / 'bin'}:/usr/local/bin:/usr/bin:/bin"
        done = subprocess.run(
            [tmp_path / ".ci" / "run"], env={"PATH": path, "HOME": "/"}, timeout=60, check=False
        )
        assert done.returncode != 0
