"""Write the middle of a report, with table, scores over time, ratings and cross table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.report import figures
from spielleiter.arena.results.report.language import Language
from spielleiter.arena.results.report.parts import hint_line, number_cell, section, table
from spielleiter.arena.results.report.plots import (
    COLORS,
    Line,
    PlotRow,
    Scale,
    escape,
    heat_cell,
    interval_mark,
    legend,
    line_chart,
    nice_ticks,
    row_chart,
)
from spielleiter.arena.statistics.standings import Cell, Row
from spielleiter.rules import WIN


def results(collection: Collection, t: Language) -> Iterator[str]:
    """Yield table, scores, ratings and the cross table."""
    rows = collection.standings
    yield section(t("Tabelle", "Table"), _standings(collection, rows, t))
    yield section(t("Verlauf", "Score over time"), _curves(collection, rows, t))
    yield section(t("Wertung", "Rating"), _ratings(collection, t))
    if not collection.is_duel:
        yield section(
            t("Jeder gegen jeden", "Everybody against everybody"), _cross(collection, rows, t)
        )


def _standings(collection: Collection, rows: Sequence[Row], t: Language) -> str:
    ratings = collection.ratings
    heads = (
        t("Platz", "Place"),
        "Bot",
        t("Spiele", "Games"),
        t("Siege", "Won"),
        t("Unent.", "Drawn"),
        t("Niederl.", "Lost"),
        t("Punkte", "Points"),
        t("Mittel", "Mean score"),
        "Elo",
        t("Fehler", "Failed"),
    )
    body = []
    for row in rows:
        rating = ratings[row.bot]
        place = "–" if row.place is None else f"{row.place}."
        shown = f"{t.number(rating.value, signed=True)} ± {t.number(rating.error or 0)}"
        mean = row.mean_score
        cells = [
            number_cell(row.matches, t),
            number_cell(row.wins, t),
            number_cell(row.draws, t),
            number_cell(row.losses, t),
            number_cell(row.victory_points, t),
            '<td data-value="-1">–</td>'
            if mean is None
            else f'<td data-value="{mean}">{t.number(mean, 2)}</td>',
            f'<td data-value="{rating.value}">{shown if row.matches else "–"}</td>',
            number_cell(row.forfeits, t),
        ]
        name = escape(collection.labels[row.bot])
        body.append(
            f'<tr><td data-value="{row.place or 0}">{place}</td>'
            f'<th scope="row" class="bot" title="{name}"><bdi>{name}</bdi></th>'
            f"{''.join(cells)}</tr>"
        )
    hint = t(
        "Ein Sieg bringt zwei Punkte, ein Unentschieden einen; bei Gleichstand entscheidet die "
        "mittlere Punktzahl. Fehler sind Spiele, die durch Zeit, Absturz oder einen Regelverstoß "
        "verloren gingen.",
        "A win brings two points and a draw one; if they are equal the mean score decides. Failed "
        "games were lost by time, by a crash or by a broken rule.",
    )
    return hint_line(hint) + table(heads, body, text=(1,), css="sortable")


def _curves(collection: Collection, rows: Sequence[Row], t: Language) -> str:
    labels = collection.labels
    up = Scale(0.0, 1.0, tuple((share / 4, t.percent(share / 4)) for share in range(5)))
    if collection.is_duel:
        curve = figures.duel_curve(collection)
        band = [
            (p.matches, p.low, p.high) for p in curve if p.low is not None and p.high is not None
        ]
        lines = [Line(labels[0], 0, [(point.matches, point.score) for point in curve], band)]
        hint = t(
            f"Anteil der Punkte, die {labels[0]} bis zu jedem Spiel gewonnen hat. Das helle Band "
            "ist der 95-%-Bereich.",
            f"Share of the points that {labels[0]} had won up to each game. The light band is the "
            "95 % interval.",
        )
    else:
        chosen = [row.bot for row in rows if row.matches][:COLORS]
        lines = [
            Line(
                labels[bot],
                color,
                [(p.matches, p.score) for p in figures.score_curve(collection, bot)],
            )
            for color, bot in enumerate(chosen)
        ]
        hint = t(
            "Anteil der Punkte, die jeder Bot bis zu jedem seiner Spiele gewonnen hat.",
            "Share of the points that each bot had won up to each of its games.",
        )
        if len(rows) > len(chosen):
            hint += t(
                f" Gezeigt sind die ersten {len(chosen)} der Tabelle.",
                f" The first {len(chosen)} of the table are shown.",
            )
    most = max(line.points[-1][0] for line in lines)
    ticks = [tick for tick in nice_ticks(0, most, 6) if tick <= most and tick == int(tick)]
    across = Scale(
        0.0 if most > 1 else -1.0, float(most), tuple((tick, t.number(tick)) for tick in ticks)
    )
    shown = line_chart(lines, across, up, t("Verlauf", "Score over time"), t("Spiele", "games"))
    names = "" if collection.is_duel else legend([(line.name, line.color) for line in lines])
    return hint_line(hint) + names + shown


def _ratings(collection: Collection, t: Language) -> str:
    ratings = collection.ratings
    order = sorted(
        (bot for bot in range(len(ratings)) if ratings.matches[bot]),
        key=lambda bot: -ratings.values[bot],
    )
    ends = [
        end for bot in order for end in (ratings[bot].low, ratings[bot].high) if end is not None
    ]
    ticks = nice_ticks(min(ends), max(ends), 5)
    across = Scale(
        ticks[0], ticks[-1], tuple((tick, t.number(tick, signed=True)) for tick in ticks)
    )
    rows = []
    for bot in order:
        rating = ratings[bot]
        words = f"{t.number(rating.value, signed=True)} ± {t.number(rating.error or 0)}"
        marks = interval_mark(rating.value, rating.low, rating.high, across)
        rows.append(PlotRow(collection.labels[bot], marks, words))
    hint = t(
        "In Elo, gesehen vom Mittel aller Bots, mit dem 95-%-Bereich. 100 Elo mehr heißt: "
        "etwa 64 % der Punkte gegen den anderen.",
        "In Elo, seen from the mean of all bots, with the 95 % interval. 100 Elo more means about "
        "64 % of the points against the other.",
    )
    if ratings.unbounded:
        names = ", ".join(collection.labels[bot] for bot in ratings.unbounded[:10])
        hint += t(
            f" Alles gewonnen oder alles verloren, daher geschätzt: {names}.",
            f" Won or lost everything, so that the rating is a guess: {names}.",
        )
    return hint_line(hint) + row_chart(rows, across, t("Wertung", "Rating"))


def _cross(collection: Collection, rows: Sequence[Row], t: Language) -> str:
    cells = collection.findings.sheet.cross_table
    body = []
    for number, row in enumerate(rows, 1):
        name = escape(collection.labels[row.bot])
        line = [
            '<td class="none">·</td>'
            if other.bot == row.bot
            else _cross_cell(cells[row.bot][other.bot], t)
            for other in rows
        ]
        body.append(
            f'<tr><td class="number">{number}</td>'
            f'<th scope="row" class="bot" title="{name}"><bdi>{name}</bdi></th>'
            f"{''.join(line)}</tr>"
        )
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    hint = t(
        "Anteil der Punkte des Bots in der Zeile gegen den in der Spalte: blau mehr als die "
        "Hälfte, orange weniger.",
        "Share of the points of the bot in the row against the one in the column: blue is more "
        "than half, orange is less.",
    )
    return hint_line(hint) + table(["", "", *numbers], body, css="cross")


def _cross_cell(cell: Cell, t: Language) -> str:
    if not cell.matches:
        return heat_cell("–", None)
    share = cell.victory_points / (WIN * cell.matches)
    said = t(
        f"{cell.wins} gewonnen, {cell.draws} unentschieden, {cell.losses} verloren; im Mittel "
        f"{t.number(cell.scored / cell.matches, 1)} : {t.number(cell.conceded / cell.matches, 1)}",
        f"{cell.wins} won, {cell.draws} drawn, {cell.losses} lost; on average "
        f"{t.number(cell.scored / cell.matches, 1)} : {t.number(cell.conceded / cell.matches, 1)}",
    )
    return heat_cell(t.percent(share), share, said)
