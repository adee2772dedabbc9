"""Every public name has a docstring, and those for authors of bots are in docs/sdk.md, whose code runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType

import pytest

import pages
import spielleiter
from spielleiter.client import Exit, arguments, running

SDK = ("spielleiter", "spielleiter.client", "spielleiter.testing")
PUBLIC = (*SDK, "spielleiter.rules", "spielleiter.games.blokus", "spielleiter.games.hase_und_igel")
PAGE = pages.ROOT / "docs/sdk.md"
TEXT = PAGE.read_text(encoding="utf-8")


def public_names(module: str) -> list[str]:
    names: list[str] = import_module(module).__all__
    return names


def documented() -> Iterator[object]:
    """Everything public that can have a docstring: classes, functions, methods, properties."""
    for module in PUBLIC:
        for name in public_names(module):
            found = getattr(import_module(module), name)
            if isinstance(found, type | FunctionType):
                yield pytest.param(found, None, id=f"{module}.{name}")
            if isinstance(found, type):
                for part in vars(found):
                    if not part.startswith("_") and is_method(found, part):
                        yield pytest.param(found, part, id=f"{module}.{name}.{part}")


def is_method(owner: type, name: str) -> bool:
    found = inspect.getattr_static(owner, name)
    return isinstance(found, FunctionType | property | classmethod | staticmethod)


@pytest.mark.parametrize(("owner", "part"), list(documented()))
def test_everything_public_has_a_docstring(owner: object, part: str | None) -> None:
    # A method that overrides one of a base class may leave it to that to say what it does.
    text = owner.__doc__ if part is None else inspect.getdoc(getattr(owner, part))
    assert text
    # The signature that dataclasses put there is no docstring.
    assert part is not None or not text.startswith(f"{getattr(owner, '__name__', '')}(")


@pytest.mark.parametrize("module", PUBLIC)
def test_public_names_exist(module: str) -> None:
    for name in public_names(module):
        assert hasattr(import_module(module), name)


@pytest.mark.parametrize("name", sorted({name for module in SDK for name in public_names(module)}))
def test_every_name_of_the_sdk_is_on_the_page(name: str) -> None:
    code = " ".join(re.findall(r"`([^`\n]+)`", TEXT)) + "".join(block.body for block in pages.read_blocks(PAGE))
    assert re.search(rf"\b{name}\b", code), f"docs/sdk.md does not mention {name}"


def test_methods_of_a_bot_are_on_the_page() -> None:
    methods = [name for name, value in vars(spielleiter.Bot).items() if not name.startswith("_") and callable(value)]
    missing = [name for name in methods if f"{name}(" not in TEXT]
    assert not missing


def test_options_exit_codes_and_variables_are_on_the_page() -> None:
    with pytest.raises(arguments.HelpAsked) as asked:
        arguments.parse_options(["--help"])
    for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", str(asked.value).partition("example")[0]):
        assert f"`{option}`" in TEXT
    for code in Exit:
        assert re.search(rf"^\| {code.value} \| `{code.name}` \|", TEXT, re.MULTILINE)
    variables = [value for value in vars(running).values() if str(value).startswith("SPIELLEITER_")]
    assert running.NAME in variables
    for variable in variables:
        assert f"`{variable}`" in TEXT


@pytest.mark.parametrize("program", [block.body for block in pages.read_blocks(PAGE) if block.language == "python"])
def test_code_on_the_page_runs(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "\nrun(" in program:
        monkeypatch.setenv(running.IMPORT_ONLY, "1")
        monkeypatch.setattr(running, "offered", [])
    exec(compile(program, "docs/sdk.md", "exec"), {"__name__": "page"})
