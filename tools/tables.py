"""Make tables for the pages from the program's own, as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from spielleiter.games import all_games, get_game
from spielleiter.games.blokus.rules.pieces import ORIENTATIONS, Piece
from spielleiter.games.hase_und_igel.rules.board import advance_cost
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018
from spielleiter.server import kinds
from spielleiter.server.settings import SPECS


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in lines
    )


def _pieces(words: Sequence[str]) -> str:
    rows = [
        (
            f"`{piece.name}`",
            piece.size,
            " ".join(f"({x},{y})" for x, y in piece.cells),
            sum(form.piece is piece for form in ORIENTATIONS),
        )
        for piece in Piece
    ]
    return table(words, rows)


def _costs(words: Sequence[str]) -> str:
    """Return distances and their prices, in three pairs of columns."""
    last, height = 44, 15
    rows = [
        [cell for n in range(row, last + 1, height) for cell in (n, advance_cost(n))]
        for row in range(1, height + 1)
    ]
    rows = [row + [""] * (6 - len(row)) for row in rows]
    return table(words * 3, rows)


def _segments(words: Sequence[str]) -> str:
    rows: list[tuple[int, str, str]] = [
        (index, str(index), f"`{kind.value}`") for index, kind in SEASON_2018.fixed
    ]
    for indices, content in SEASON_2018.segments:
        counts = {kind: content.count(kind) for kind in content}
        kinds_of = ", ".join(f"{count} × `{kind.value}`" for kind, count in counts.items())
        places = (
            f"{indices[0]}–{indices[-1]}"
            if len(indices) == indices[-1] - indices[0] + 1
            else _listed(indices)
        )
        rows.append((indices[0], places, kinds_of))
    return table(words, [row[1:] for row in sorted(rows)])


def _listed(indices: Sequence[int]) -> str:
    return ", ".join(map(str, indices))


def _mistakes() -> str:
    season = get_game("blokus-2021").season
    return table(
        ("rule", "the server's words"),
        [(f"`{rule}`", text.de) for rule, text in season.mistakes.items()],
    )


def _limits() -> str:
    rows = [
        (f"`--{spec.key.replace('_', '-')}`", spec.help, _value(spec.kind, spec.default))
        for spec in SPECS.values()
        if spec.is_limit
    ]
    return table(("setting of the server", "meaning", "default"), rows)


def _value(kind: kinds.Kind, value: object) -> str:
    if kind is kinds.SECONDS:
        return f"{value:g} s"
    if kind is kinds.SIZE and isinstance(value, int):
        return f"{value // 1024**2} MiB" if value % 1024**2 == 0 else f"{value // 1024} KiB"
    return f"{value:,}"


def _revisions() -> str:
    types = dict.fromkeys(game.game_type for game in all_games())
    rows = []
    for game_type in types:
        games = [game for game in all_games() if game.game_type == game_type]
        revisions = ", ".join(f"`{name}`" for name in games[0].codecs)
        rows.append((f"`{game_type}`", revisions, ", ".join(f"`{game.id}`" for game in games)))
    return table(
        ("game type", "revisions, the default first", "variants of the rules, the default first"),
        rows,
    )


TABLES: Mapping[str, Callable[[], str]] = {
    "pieces.en": lambda: _pieces(
        ("piece", "squares", "covers, neither turned nor flipped", "different forms")
    ),
    "pieces.de": lambda: _pieces(
        ("Stein", "Felder", "bedeckt, weder gedreht noch gewendet", "verschiedene Formen")
    ),
    "costs.en": lambda: _costs(("fields", "carrots")),
    "costs.de": lambda: _costs(("Felder", "Karotten")),
    "segments.en": lambda: _segments(("fields", "what lies there")),
    "segments.de": lambda: _segments(("Felder", "was dort liegt")),
    "mistakes": _mistakes,
    "limits": _limits,
    "revisions": _revisions,
}
