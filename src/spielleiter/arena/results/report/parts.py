"""Small pieces of HTML that all parts of a report are made of."""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.arena.results.report.language import Language
from spielleiter.arena.results.report.plots import escape


def section(heading: str, content: str) -> str:
    """Return a part of the page with its heading. The content is HTML already."""
    return f"<section>\n<h2>{escape(heading)}</h2>\n{content}\n</section>"


def hint_line(text: str) -> str:
    """Return a paragraph that explains what follows."""
    return f'<p class="hint">{escape(text)}</p>'


def number_cell(value: int, t: Language) -> str:
    """Return a cell of a table that is sorted by its number."""
    return f'<td data-value="{value}">{t.number(value)}</td>'


def table(
    heads: Sequence[str], rows: Sequence[str], *, text: Sequence[int] = (), css: str = ""
) -> str:
    """Return a table of rows that are HTML already. Columns in ``text`` have words in them."""
    head = "".join(
        f'<th scope="col"{" class=text" if number in text else ""}>{escape(name)}</th>'
        for number, name in enumerate(heads)
    )
    return (
        f'<div class="scroll"><table class="{css}"><thead><tr>{head}</tr></thead><tbody>'
        f"{''.join(rows)}</tbody></table></div>"
    )
