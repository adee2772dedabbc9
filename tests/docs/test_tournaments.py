"""The pages about tournaments: files in them can be read, and commands in them typed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from spielleiter.arena.runs.tournament_file import FORMS, KEYS, read_tournament
from spielleiter.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("tournaments.md", "teachers.md", "lehrkraefte.md")
BLOCK = re.compile(r"^([ ]*)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return [body for _, found, body in BLOCK.findall(text_of(page)) if found == language]


def test_the_files_on_the_page_can_be_read(tmp_path: Path) -> None:
    examples = blocks("tournaments.md", "toml")
    assert len(examples) == 2
    for number, example in enumerate(examples):
        path = tmp_path / f"{number}.toml"
        path.write_text(example, encoding="utf-8")
        read_tournament(path)
    read = read_tournament(tmp_path / "0.toml")
    assert [bot.name for bot in read.bots] == [None, None, "Anna", "Ben & Carla", "Old champion"]
    assert (read.game, read.games, read.seed) == ("blokus-2027", 6, 7)


def test_the_page_has_every_key_and_form() -> None:
    page = text_of("tournaments.md")
    rows = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    assert rows == list(KEYS)
    assert re.findall(r'^\| `"([a-z-]+)"` \|', page, re.MULTILINE) == list(FORMS)


@pytest.mark.parametrize("page", PAGES)
def test_commands_can_be_typed(page: str) -> None:
    code = [line.strip() for body in blocks(page, "sh") for line in body.splitlines()]
    code += re.findall(r"`(spielleiter [^`\n]+)`", BLOCK.sub("", text_of(page)))
    commands = [shlex.split(line) for line in code if line.startswith("spielleiter ")]
    assert commands
    context = click.Context(main, info_name="spielleiter", **main.context_settings)
    for _, name, *args in commands:
        command = main.get_command(context, name)
        assert command is not None, name
        command.make_context(name, args, parent=context)


def test_both_languages_tell_the_same() -> None:
    english, german = (text_of(page) for page in ("teachers.md", "lehrkraefte.md"))
    assert blocks("teachers.md", "sh") == blocks("lehrkraefte.md", "sh")
    assert blocks("teachers.md", "python") == blocks("lehrkraefte.md", "python")
    for pattern in (r"^## ", r"^\| "):
        counts = [len(re.findall(pattern, text, re.MULTILINE)) for text in (english, german)]
        assert counts[0] == counts[1]
