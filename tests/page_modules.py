"""Run the page's own modules under Node, for tests that hold them against the rules."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

GAMES = Path(__file__).parents[1] / "src/spielleiter/games"

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")

_READ = """\
let text = "";
process.stdin.setEncoding("utf-8");
for await (const part of process.stdin) text += part;
const asked = JSON.parse(text);
"""


def ask_page(game: str, folder: Path, script: str, asked: object) -> Any:
    """Return what a script answers that imports modules of a game's page.

    The script finds the question in ``asked`` and calls ``answer``. The modules are copied to
    ``folder``, because older versions of Node want to be told that they are modules.
    """
    for module in (GAMES / game / "page").glob("*.js"):
        shutil.copy(module, folder)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "script.js").write_text(
        script + _READ + "console.log(JSON.stringify(answer(asked)));\n", encoding="utf-8"
    )
    done = subprocess.run(
        ["node", "script.js"],
        cwd=folder,
        input=json.dumps(asked),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
