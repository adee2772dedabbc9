"""Write the rest of a report, with seats, starts, times, lost matches, and how all was played."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from spielleiter.arena.bots import BotKind
from spielleiter.arena.results.collection import CollectedMatch, Collection
from spielleiter.arena.results.report import figures
from spielleiter.arena.results.report.language import Language
from spielleiter.arena.results.report.parts import hint_line, section, table
from spielleiter.arena.results.report.plots import (
    PlotRow,
    Scale,
    escape,
    heat_cell,
    histogram_marks,
    legend,
    nice_ticks,
    row_chart,
    two_marks,
)
from spielleiter.rules import LOSS, Cause, one_line

MOST_LOST = 200
"""Lost matches that are listed."""


def details(
    collection: Collection, times: Mapping[int, Sequence[int]], t: Language
) -> Iterator[str]:
    """Yield seats, starts, times and the matches that were lost."""
    yield section(t("Nach Platz am Tisch", "By seat"), _seats(collection, t))
    starts = figures.means_by_start(collection)
    if len(starts) > 1:
        yield section(t("Nach Startstein", "By start piece"), _starts(collection, starts, t))
    if any(sum(counts) for counts in times.values()):
        yield section(t("Zeit je Zug", "Time for a move"), _times(collection, times, t))
    yield section(t("Verlorene Spiele", "Lost games"), _lost(collection, t))


def _score_scale(values: Sequence[float], t: Language) -> Scale:
    """Return a scale for mean scores, which begins at 0 unless all of them are far from it."""
    low, high = min(values), max(values)
    ticks = nice_ticks(low if low > high / 2 > 0 else min(low, 0.0), max(high, 1.0), 5)
    digits = 0 if all(tick == int(tick) for tick in ticks) else 1
    return Scale(ticks[0], ticks[-1], tuple((tick, t.number(tick, digits)) for tick in ticks))


def _seats(collection: Collection, t: Language) -> str:
    means = figures.means_by_seat(collection)
    known = [mean.score for pair in means for mean in pair if mean.matches]
    across = _score_scale(known, t)
    unit = t.text(collection.game.score_unit)
    rows = []
    for row in collection.standings:
        values = [mean.score if mean.matches else None for mean in means[row.bot]]
        words = " · ".join("–" if value is None else t.number(value, 1) for value in values)
        rows.append(
            PlotRow(collection.labels[row.bot], two_marks(values[0], values[1], across), words)
        )
    hint = t(
        f"Mittlere Punktzahl ({unit}), wenn ein Bot beginnt und wenn er als Zweiter zieht.",
        f"Mean score ({unit}) of a bot when it begins and when it moves second.",
    )
    names = legend([(t("beginnt", "begins"), 0), (t("zieht als Zweiter", "moves second"), 1)])
    return hint_line(hint) + names + row_chart(rows, across, t("Nach Platz am Tisch", "By seat"))


def _starts(
    collection: Collection, starts: Mapping[str, Mapping[int, figures.Mean]], t: Language
) -> str:
    labels = collection.labels
    unit = t.text(collection.game.score_unit)
    if not collection.is_duel:
        return _start_table(collection, starts, t)
    across = _score_scale([mean.score for bots in starts.values() for mean in bots.values()], t)
    rows = []
    for name, bots in starts.items():
        first, second = (bots[bot].score if bot in bots else None for bot in (0, 1))
        games = max(mean.matches for mean in bots.values())
        words = " · ".join(
            "–" if value is None else t.number(value, 1) for value in (first, second)
        )
        words += f" ({t.count(games, ('Spiel', 'Spiele'), ('game', 'games'))})"
        rows.append(PlotRow(name, two_marks(first, second, across), words))
    hint = t(
        f"Mittlere Punktzahl ({unit}) je nach dem Stein, mit dem alle beginnen.",
        f"Mean score ({unit}) by the piece that everybody begins with.",
    )
    names = legend([(labels[0], 0), (labels[1], 1)])
    return hint_line(hint) + names + row_chart(rows, across, t("Nach Startstein", "By start piece"))


def _start_table(
    collection: Collection, starts: Mapping[str, Mapping[int, figures.Mean]], t: Language
) -> str:
    body = []
    for row in collection.standings:
        found = [bots.get(row.bot) for bots in starts.values()]
        mean = row.mean_score or 0.0
        spread = (
            max((abs(one.score - mean) for one in found if one is not None), default=0.0) or 1.0
        )
        cells = "".join(
            heat_cell("–", None)
            if one is None
            else heat_cell(
                t.number(one.score, 1),
                0.5 + (one.score - mean) / spread / 3,
                t.count(one.matches, ("Spiel", "Spiele"), ("game", "games")),
            )
            for one in found
        )
        name = escape(collection.labels[row.bot])
        body.append(
            f'<tr><th scope="row" class="bot" title="{name}"><bdi>{name}</bdi></th>{cells}</tr>'
        )
    hint = t(
        "Mittlere Punktzahl je nach dem Stein, mit dem alle beginnen: blau über dem Mittel des "
        "Bots, orange darunter.",
        "Mean score by the piece that everybody begins with: blue is above the bot's own mean, "
        "orange below.",
    )
    return hint_line(hint) + table(["", *starts], body, css="cross")


def _times(collection: Collection, times: Mapping[int, Sequence[int]], t: Language) -> str:
    used = [span for counts in times.values() for span, count in enumerate(counts) if count]
    low = math.floor(math.log10(figures.range_ends(min(used))[0]) + 1e-9)
    high = max(math.ceil(math.log10(figures.range_ends(max(used))[1]) - 1e-9), low + 1)
    ticks = tuple((float(power), t.seconds(10.0**power)) for power in range(low, high + 1))
    across = Scale(low, high, ticks)
    longest = figures.longest_times(collection)
    ends = [figures.range_ends(span) for span in range(len(figures.TIME_EDGES) + 1)]
    rows = []
    for row in collection.standings:
        counts = times.get(row.bot)
        if not counts or not sum(counts):
            continue
        top = max(counts)
        bars = [
            (math.log10(start), math.log10(end), count / top)
            for (start, end), count in zip(ends, counts, strict=True)
            if count
        ]
        middle = figures.quantile_time(counts, 0.5)
        words = f"{t('Mitte', 'median')} {t.seconds(middle)}"
        if row.bot in longest:
            words += f" · {t('längster', 'longest')} {t.seconds(longest[row.bot])}"
        marks = histogram_marks(bars, math.log10(max(middle, 1e-9)), across)
        rows.append(PlotRow(collection.labels[row.bot], marks, words))
    hint = t(
        "Wie viele Züge wie lange dauerten; die gestrichelte Linie ist die Mitte (Median). Jeder "
        "Schritt der Achse ist das Zehnfache.",
        "How many moves took how long; the dashed line is the middle (median). Each step of the "
        "axis is ten times the one before.",
    )
    return hint_line(hint) + row_chart(rows, across, t("Zeit je Zug", "Time for a move"))


# Lost matches


def _lost(collection: Collection, t: Language) -> str:
    lost = [(match, seat) for match in collection.counted for seat in match.offenders]
    if collection.is_duel:
        lost += [
            (match, seat)
            for match in collection.counted
            for seat, bot in enumerate(match.bots)
            if bot == 0 and match.points[seat] == LOSS and not match.offenders
        ]
    if not lost:
        return hint_line(
            t("Kein Bot hat ein Spiel durch Fehler verloren.", "No bot lost a game by a fault.")
        )
    several = len(collection.runs) > 1
    heads = [
        t("Nr.", "No."),
        *([t("Lauf", "Run")] if several else []),
        t("Verlierer", "Loser"),
        t("Gegner", "Opponent"),
        t("Punkte", "Score"),
        t("Ursache", "Cause"),
        t("Ende", "End"),
    ]
    body = [_lost_row(collection, match, seat, several, t) for match, seat in lost[:MOST_LOST]]
    run = collection.runs[0]
    folder = "DIR" if several else one_line(str(run.folder))
    about = t(
        "Zuerst die Spiele, die durch Fehler verloren gingen. ",
        "Games that were lost by a fault come first. ",
    )
    if len(lost) > MOST_LOST:
        about += t(
            f"Gezeigt sind {MOST_LOST} von {t.number(len(lost))}. ",
            f"{MOST_LOST} of {t.number(len(lost))} are shown. ",
        )
    how = t("Ein Spiel ansehen: ", "To see a game: ")
    hint = (
        f'<p class="hint">{escape(about)}{escape(how)}'
        f"<code>spielleiter results replay {escape(folder)} N</code></p>"
    )
    columns = (1, 2, 3, 5, 6) if several else (1, 2, 4, 5)
    return hint + table(heads, body, text=columns, css="sortable")


def _lost_row(
    collection: Collection, match: CollectedMatch, seat: int, several: bool, t: Language
) -> str:
    loser, opponent = (escape(collection.labels[match.bots[one]]) for one in (seat, 1 - seat))
    folder = escape(one_line(str(collection.runs[match.run].folder)))
    return (
        f'<tr><td data-value="{match.number}">{match.number}</td>'
        + (f'<td class="text">{folder}</td>' if several else "")
        + f'<td class="text"><bdi>{loser}</bdi></td><td class="text"><bdi>{opponent}</bdi></td>'
        f"<td>{match.scores[seat]} : {match.scores[1 - seat]}</td>"
        f'<td class="text">{escape(_cause(match.causes[seat], t))}</td>'
        f'<td class="text long">{escape(one_line(t.text(match.reason)))}</td></tr>'
    )


_BOT_KINDS = {
    BotKind.HOUSE: "Hausbot",
    BotKind.PYTHON: "Python-Programm",
    BotKind.BOT_FILE: "Datei mit einem Bot",
    BotKind.PROGRAM: "Programm",
    BotKind.JAR: "Java-Archiv",
    BotKind.COMMAND: "Befehl",
    BotKind.HUMAN: "Mensch",
}


def _bot_kind(kind: str, t: Language) -> str:
    german = {known.value: word for known, word in _BOT_KINDS.items()}
    return t(german.get(kind, one_line(kind)), one_line(kind))


def _cause(cause: Cause, t: Language) -> str:
    match cause:
        case Cause.REGULAR:
            return t("nach den Regeln", "by the rules")
        case Cause.LEFT:
            return t("Absturz oder Verbindung", "crash or connection")
        case Cause.RULE_VIOLATION:
            return t("Regelverstoß", "broken rule")
        case Cause.SOFT_TIMEOUT | Cause.HARD_TIMEOUT:
            return t("Zeit", "time")


# How it was played


def runs(collection: Collection, t: Language) -> str:
    """Return what it takes to play the same again."""
    heads = (
        t("Lauf", "Run"),
        t("Art", "Kind"),
        t("Beginn", "Began"),
        t("Spiele", "Games"),
        "Seed",
        t("Weg", "Way"),
    )
    kinds = {"match": t("Vergleich", "match"), "tournament": t("Turnier", "tournament")}
    ways: dict[int, set[str]] = {}
    for match in collection.counted:
        ways.setdefault(match.run, set()).add(match.way)
    body = [
        f'<tr><td class="text">{escape(one_line(str(run.folder)))}</td>'
        f'<td class="text">{escape(kinds.get(run.run.kind, one_line(run.run.kind)))}</td>'
        f'<td class="text">{escape(t.moment(run.run.created_at))} UTC</td>'
        f"<td>{t.number(run.played)}</td><td>{run.run.seed}</td>"
        f'<td class="text">{escape(", ".join(sorted(ways.get(number, ()))))}</td></tr>'
        for number, run in enumerate(collection.runs)
    ]
    bots = [
        f'<tr><th scope="row" class="bot"><bdi>{escape(bot.label)}</bdi></th>'
        f'<td class="text">{escape(_bot_kind(bot.bot.kind, t))}</td>'
        f'<td class="text"><code>{escape(bot.bot.hash[:12] or "–")}</code></td></tr>'
        for bot in collection.bots
    ]
    played = table(heads, body, text=(0, 1, 2, 5))
    names = ("Bot", t("Art", "Kind"), t("Version (Prüfsumme)", "Version (hash)"))
    return section(
        t("Wie gespielt wurde", "How it was played"), played + table(names, bots, text=(0, 1, 2))
    )
