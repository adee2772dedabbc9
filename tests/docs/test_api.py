"""Every public name has a docstring, and those for authors of bots are in docs/sdk.md, whose code
runs.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType

import pytest

import pages
import spielleiter
from spielleiter import rules
from spielleiter.client import Exit, arguments, environment
from spielleiter.client import runner as running
from spielleiter.games import blokus, hase_und_igel
from spielleiter.games.blokus.rules.pieces import Orientation

SDK = ("spielleiter", "spielleiter.client", "spielleiter.engine", "spielleiter.testing")
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
    code = " ".join(re.findall(r"`([^`\n]+)`", TEXT)) + "".join(
        block.body for block in pages.read_blocks(PAGE)
    )
    assert re.search(rf"\b{name}\b", code), f"docs/sdk.md does not mention {name}"


# -- states and moves, name by name ----------------------------------------------------------------

CLASSES = (
    *(
        rules.State,
        rules.Game,
        rules.Outcome,
        rules.SeatOutcome,
        rules.Cause,
        rules.Text,
        rules.RuleViolation,
    ),
    *(
        blokus.Blokus,
        blokus.BlokusState,
        blokus.SetMove,
        blokus.SkipMove,
        blokus.Color,
        blokus.Piece,
    ),
    *(blokus.Rotation, blokus.Season, Orientation),
    *(hase_und_igel.HaseUndIgel, hase_und_igel.HareState, hase_und_igel.Hare),
    hase_und_igel.Season,
    *(hase_und_igel.HareMove, hase_und_igel.Field),
    *(
        hase_und_igel.Card,
        hase_und_igel.Advance,
        hase_und_igel.PlayCard,
        hase_und_igel.ExchangeCarrots,
    ),
)
BARE = (hase_und_igel.EatSalad, hase_und_igel.FallBack, hase_und_igel.Skip)
"""Classes that add no name to those of their base."""
MADE = {
    blokus.Blokus: blokus.GAMES[0],
    hase_und_igel.HaseUndIgel: hase_und_igel.HASE_UND_IGEL,
    rules.RuleViolation: rules.RuleViolation("RULE", rules.Text("so nicht", "not so")),
}
"""Where attributes are given in ``__init__``, one that has them."""
MODULES = (
    "spielleiter.games",
    "spielleiter.games.blokus",
    "spielleiter.games.blokus.rules",
    "spielleiter.games.hase_und_igel",
    "spielleiter.rules",
)


def title_of(owner: type) -> str:
    """Return what its table is headed with. Classes of one name are told apart by their game."""
    if sum(other.__name__ == owner.__name__ for other in CLASSES) == 1:
        return f"of {owner.__name__}"
    game = owner.__module__.removeprefix("spielleiter.games.").partition(".")[0]
    return f"of {game}.{owner.__name__}"


def own_names(owner: type) -> set[str]:
    """The public names of a class that no documented base class has: fields, properties, methods,
    members.
    """
    names: set[str] = set(vars(MADE[owner])) if owner in MADE else set()
    for base in owner.__mro__:
        if base.__module__.startswith("spielleiter."):
            names |= {*vars(base), *getattr(base, "__annotations__", {})}
    for base in owner.__mro__[1:]:
        if base in CLASSES:
            names -= own_names(base)
    return {name for name in names if not name.startswith("_")}


def tables(page: str) -> dict[str, list[str]]:
    """The names in the first column of every table headed ``of `X` `` or ``in `X` ``."""
    found: dict[str, list[str]] = {}
    for kind, owner, rows in re.findall(
        r"^\| (of|in) `([\w.]+)` \|.*\n\|[-|]+\n((?:\|.*\n)+)", page, re.MULTILINE
    ):
        cells = [row.split(" | ")[0].removeprefix("| ") for row in rows.splitlines()]
        spans = [span for cell in cells for span in re.findall(r"`([^`]+)`", cell)]
        found[f"{kind} {owner}"] = [re.split(r"[(:]", span)[0].rpartition(".")[2] for span in spans]
    return found


TABLES = tables(TEXT)


def check_table(title: str, expected: set[str]) -> None:
    found = TABLES.get(title, [])
    assert sorted(expected - set(found)) == [], f"docs/sdk.md: names missing in the table {title!r}"
    assert sorted(set(found) - expected) == [], (
        f"docs/sdk.md: names in the table {title!r} that are gone"
    )
    assert len(found) == len(set(found)), f"docs/sdk.md: a name is twice in the table {title!r}"


@pytest.mark.parametrize("owner", CLASSES, ids=title_of)
def test_every_name_of_states_and_moves_is_in_its_table(owner: type) -> None:
    assert own_names(owner)
    check_table(title_of(owner), own_names(owner))


@pytest.mark.parametrize("owner", BARE, ids=lambda owner: owner.__name__)
def test_a_class_without_a_table_has_no_names_of_its_own(owner: type) -> None:
    assert own_names(owner) == set()


@pytest.mark.parametrize("module", MODULES)
def test_every_name_of_a_games_module_is_in_its_table(module: str) -> None:
    found = import_module(module)
    names = getattr(found, "__all__", None)
    if names is None:
        names = [
            name
            for name, value in vars(found).items()
            if not name.startswith("_")
            and (name == "DEFAULT" or getattr(value, "__module__", "") == module)
        ]
    check_table(f"in {module}", set(names))


def test_no_table_is_about_something_else() -> None:
    expected = {*map(title_of, CLASSES), *(f"in {module}" for module in MODULES)}
    assert set(TABLES) == expected


def test_every_public_class_of_the_games_has_its_names_looked_at() -> None:
    for module in ("spielleiter.games.blokus", "spielleiter.games.hase_und_igel"):
        public = {getattr(import_module(module), name) for name in public_names(module)}
        classes = {
            found
            for found in public
            if isinstance(found, type) and not issubclass(found, Exception)
        }
        assert classes <= {*CLASSES, *BARE}


def test_methods_of_a_bot_are_on_the_page() -> None:
    methods = [
        name
        for name, value in vars(spielleiter.Bot).items()
        if not name.startswith("_") and callable(value)
    ]
    missing = [name for name in methods if f"{name}(" not in TEXT]
    assert not missing


def test_options_exit_codes_and_variables_are_on_the_page() -> None:
    with pytest.raises(arguments.HelpAsked) as asked:
        arguments.parse_options(["--help"])
    for option in re.findall(
        r"(?<![\w-])--?[a-z][a-z-]*", str(asked.value).partition("example")[0]
    ):
        assert f"`{option}`" in TEXT
    for code in Exit:
        assert re.search(rf"^\| {code.value} \| `{code.name}` \|", TEXT, re.MULTILINE)
    variables = [
        value for value in vars(environment).values() if str(value).startswith("SPIELLEITER_")
    ]
    assert environment.NAME in variables
    for variable in variables:
        assert f"`{variable}`" in TEXT


@pytest.mark.parametrize(
    "program", [block.body for block in pages.read_blocks(PAGE) if block.language == "python"]
)
def test_code_on_the_page_runs(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "\nrun(" in program:
        monkeypatch.setenv(environment.IMPORT_ONLY, "1")
        monkeypatch.setattr(running, "offered", [])
    exec(compile(program, "docs/sdk.md", "exec"), {"__name__": "page"})
