"""Documents that can fail: commands exist, code in them runs, dependencies are explained.

Links and paths are checked in ``docs/test_paths.py``.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SKIPPED = {"build", "dist", "node_modules", "target"}
DOCUMENTS = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(part.startswith(".") or part in SKIPPED for part in path.relative_to(ROOT).parts)
)
BLOCK = re.compile(r"^([ ]*)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_the_first_documents_are_there() -> None:
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= set(
        map(name, DOCUMENTS)
    )


def make_targets() -> set[str]:
    return set(
        re.findall(
            r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
        )
    )


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_make_targets_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    code = [body for _, _, body in BLOCK.findall(text)] + re.findall(
        r"`([^`\n]+)`", BLOCK.sub("", text)
    )
    named = {target for part in code for target in re.findall(r"\bmake ([a-z][a-z-]*)", part)}
    assert named <= make_targets(), (
        f"{name(path)} names {sorted(named - make_targets())}; the Makefile does not have it"
    )


def test_readme_and_contributing_name_make_targets() -> None:
    assert {"play", "test", "dev", "check", "bench"} <= make_targets()
    assert "make play" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make check" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


PROGRAMS = [
    pytest.param(body, id=f"{document}-{number}")
    for document in ("README.md", "CONTRIBUTING.md")
    for number, (_, language, body) in enumerate(
        BLOCK.findall((ROOT / document).read_text(encoding="utf-8"))
    )
    if language == "python"
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_code_runs(
    program: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELLEITER_IMPORT_ONLY", "1")  # run(MyBot) shall not look for a server
    margin = len(program) - len(program.lstrip(" "))
    lines = [line[margin:] for line in program.splitlines()]
    exec(compile("\n".join(lines), "document", "exec"), {})


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs/decisions/dependencies.md").read_text(encoding="utf-8").lower()
    rows = "\n".join(line for line in page.splitlines() if line.startswith("|"))
    extras = project["optional-dependencies"]
    needed = [
        *project["dependencies"],
        *(package for extra in extras.values() for package in extra),
    ]
    for requirement in needed:
        package = re.match(r"[\w-]+", requirement)
        assert package is not None
        explained = re.search(rf"\b{package[0].lower()}\b", rows)
        assert explained, f"{package[0]} has no line in docs/decisions/dependencies.md"
    for extra in set(extras) - {"dev"}:
        assert f"`{extra}`" in rows, (
            f"the extra {extra} has no line in docs/decisions/dependencies.md"
        )


def test_what_is_installed_with_the_package_is_imported_by_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [
        *project["dependencies"],
        *(package for extra in set(extras) - {"dev", "browser"} for package in extras[extra]),
    ]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    for requirement in needed:
        package = re.match(r"[\w-]+", requirement)
        assert package is not None
        ways = rf'^\s*(import|from) {package[0]}\b|import_module\("{package[0]}"\)'
        imported = re.search(ways, sources, re.MULTILINE)
        assert imported, f"pyproject.toml asks for {package[0]}, and nothing in src imports it"


def test_the_map_has_every_folder_of_the_package() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = ROOT / "src/spielleiter"
    for folder in sorted(path.parent.name for path in package.glob("*/__init__.py")):
        assert f"src/spielleiter/{folder}/" in text, (
            f"ARCHITECTURE.md has no paragraph about {folder}"
        )


def test_every_decision_is_in_the_list() -> None:
    folder = ROOT / "docs/decisions"
    listed = set(LINK.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert {path.name for path in folder.glob("*.md")} - {"README.md"} <= listed


WIDTH = 88
"""Columns of prose in Markdown. Tables, code and what ``make pages`` makes may be wider."""


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_prose_fits_into_its_width(path: Path) -> None:
    is_code = is_made = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        is_made = ("<!-- made:" in line or is_made) and "<!-- /made" not in line
        if line.lstrip().startswith("```"):
            is_code = not is_code
        if is_code or is_made or line.lstrip().startswith(("|", "#", "<", "![")):
            continue
        words = line.split()
        can_break = len(words) > 1 and max(map(len, words)) < WIDTH - 10
        assert len(line) <= WIDTH or not can_break, f"{name(path)}:{number} has {len(line)} columns"
