"""Write the top of a report, with what was played, what it proves and what one must know first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.report.language import Language
from spielleiter.arena.results.report.plots import escape
from spielleiter.rules import one_line

MOST_NAMED = 10
"""Runs that are joined and named at the top. Those below are all of them."""


def title(collection: Collection, t: Language) -> str:
    """Return what the report is about."""
    if collection.is_duel:
        return t("{} gegen {}", "{} against {}").format(*collection.labels)
    bots = t.count(len(collection.bots), ("Bot", "Bots"), ("bot", "bots"))
    return t(f"Turnier mit {bots}", f"Tournament of {bots}")


def verdict(collection: Collection, t: Language) -> Iterator[str]:
    """Yield what is proved, in plain words."""
    if not collection.counted:
        yield t("Noch ist kein Spiel zu Ende.", "No game is finished yet.")
    elif collection.is_duel:
        yield t.text(collection.conclusion.text)
    elif collection.is_knockout:
        yield _knockout_verdict(collection, t)
    else:
        yield from _tournament_verdict(collection, t)


def _knockout_verdict(collection: Collection, t: Language) -> str:
    names = [collection.labels[row.bot] for row in collection.standings]
    if collection.is_complete:
        return t(
            f"{names[0]} gewinnt das Turnier im K.-o.-System vor {names[1]}.",
            f"{names[0]} wins the knockout, ahead of {names[1]}.",
        )
    left = _enumerate(
        [collection.labels[row.bot] for row in collection.standings if row.place is None], t
    )
    return t(f"Im K.-o.-System sind noch dabei: {left}.", f"Still in the knockout: {left}.")


def _tournament_verdict(collection: Collection, t: Language) -> Iterator[str]:
    rows = collection.standings
    labels = collection.labels
    leaders = [row for row in rows if row.place == 1]
    points = t.count(leaders[0].victory_points, ("Punkt", "Punkten"), ("point", "points"))
    if len(leaders) > 1:
        names = _enumerate([labels[row.bot] for row in leaders], t)
        if collection.is_complete:
            yield t(
                f"{names} teilen den ersten Platz mit {points}.",
                f"{names} share the first place with {points}.",
            )
        else:
            yield t(
                f"Bisher teilen {names} den ersten Platz mit {points}.",
                f"So far {names} share the first place with {points}.",
            )
        return
    best, second = rows[0], rows[1]
    name, other = labels[best.bot], labels[second.bot]
    behind = t.number(second.victory_points)
    if second.victory_points == best.victory_points:
        behind += t(", kleinere mittlere Punktzahl", ", a lower mean score")
    if collection.is_complete:
        yield t(
            f"{name} gewinnt mit {points} vor {other} ({behind}).",
            f"{name} wins with {points}, ahead of {other} ({behind}).",
        )
    else:
        yield t(
            f"Bisher führt {name} mit {points} vor {other} ({behind}).",
            f"So far {name} leads with {points}, ahead of {other} ({behind}).",
        )
    lead = collection.ratings.difference(best.bot, second.bot)
    amount = f"{t.number(lead.value, signed=True)} ± {t.number(lead.error or 0)} Elo"
    if lead.low is not None and lead.low > 0:
        yield t(
            f"Der Abstand in der Wertung ist größer als sein Fehler: {amount}.",
            f"The difference in rating is larger than its error: {amount}.",
        )
    else:
        yield t(
            f"Der Abstand in der Wertung ist kleiner als sein Fehler ({amount}): "
            "Wer von beiden stärker ist, haben diese Spiele nicht entschieden.",
            f"The difference in rating is smaller than its error ({amount}): these games have not "
            "decided which of the two is stronger.",
        )


def _enumerate(names: Sequence[str], t: Language) -> str:
    *others, last = names
    return f"{', '.join(others)} {t('und', 'and')} {last}"


def notices(collection: Collection, t: Language) -> Iterator[str]:
    """Yield what a reader has to know before believing the figures, as HTML."""
    if collection.is_joint:
        yield _joint_notice(collection, t)
    for run in collection.runs:
        if not run.is_over:
            played, planned = t.number(run.played), t.number(run.planned)
            said = t(
                f"{played} von {planned} Spielen sind gespielt. Weiter geht es mit",
                f"{played} of {planned} games have been played. Play the rest with",
            )
            folder = escape(one_line(str(run.folder)))
            yield f"{said} <code>spielleiter resume {folder}</code>."
    if collection.findings.is_late:
        late = t.seconds(collection.findings.delay)
        option = '<code class="word">--parallel</code>'
        yield t(
            f"Der Rechner selbst war bis zu {late} zu spät. Wer Zeit überschritten hat, kann "
            f"unschuldig sein: weniger Spiele zugleich ({option}) helfen.",
            f"The machine itself was late by up to {late}. Bots that ran out of time may not be to "
            f"blame: fewer games at once ({option}) help.",
        )
    yield from _counting_notices(collection, t)
    if collection.counted and not collection.ratings.is_connected:
        yield t(
            "Nicht alle Bots sind durch Spiele verbunden: Wertungen verschiedener Gruppen lassen "
            "sich nicht vergleichen.",
            "Not all bots are connected by games: ratings of different groups cannot be compared.",
        )


def _joint_notice(collection: Collection, t: Language) -> str:
    names = [escape(one_line(str(run.folder))) for run in collection.runs[:MOST_NAMED]]
    folders = ", ".join(f"<code>{name}</code>" for name in names)
    if others := len(collection.runs) - len(names):
        folders += t(f" und {others} weitere", f" and {others} more")
    number = t.number(len(collection.runs))
    return t(f"{number} Läufe zusammen: {folders}.", f"{number} runs together: {folders}.")


def _counting_notices(collection: Collection, t: Language) -> Iterator[str]:
    if number := collection.findings.uncounted:
        games = t.count(number, ("Spiel war", "Spiele waren"), ("game was", "games were"))
        counts = t("zählt", "does") if number == 1 else t("zählen", "do")
        yield t(
            f"{games} erst zu Ende, als der sequenzielle Test schon entschieden hatte, und "
            f"{counts} nicht.",
            f"{games} over only after the sequential test had decided, and {counts} not count.",
        )
    if number := collection.findings.sheet.repeated:
        games = t.count(number, ("Spiel gleicht", "Spiele gleichen"), ("game is", "games are"))
        counts = t("zählt", "counts") if number == 1 else t("zählen", "count")
        yield t(
            f"{games} Zug für Zug einem früheren und {counts} in den Fehlern nur einmal.",
            f"{games} the same as an earlier one, move by move, and {counts} once in the errors.",
        )


def tiles(collection: Collection, t: Language) -> str:
    """Return the most important numbers."""
    games = collection.counted
    thrown = sum(bool(match.offenders) for match in games)
    found = [
        (t.number(len(games)), t("Spiele", "games")),
        (t.number(len(collection.bots)), t("Bots", "bots")),
    ]
    if games:
        if collection.is_duel:
            sums = collection.summary
            name = collection.labels[0]
            results = " – ".join(map(t.number, (sums.wins, sums.draws, sums.losses)))
            what = t("Siege, Unentschieden, Niederlagen von", "won, drawn, lost by")
            found[1:] = [(results, f"{what} {name}")]
        else:
            draws = sum(match.winner is None for match in games)
            found.append((t.number(draws), t("Unentschieden", "draws")))
        found.append((t.number(thrown), t("durch Fehler verloren", "lost by a fault")))
        seconds = [match.seconds for match in games if match.seconds is not None]
        if seconds:
            mean = sum(seconds) / len(seconds)
            found.append((t.seconds(mean), t("je Spiel im Mittel", "a game on average")))
    items = "".join(f"<li><b>{escape(n)}</b><span>{escape(what)}</span></li>" for n, what in found)
    return f'<ul class="tiles">{items}</ul>'
