"""Write the top of a report: what was played, what it proves, and what one has to know first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spielleiter.arena.results.collection import LATE_SECONDS, Collection
from spielleiter.arena.results.report.language import Language
from spielleiter.arena.results.report.plots import escape
from spielleiter.rules import one_line


def title(collection: Collection, t: Language) -> str:
    """Return what the report is about."""
    if collection.is_duel:
        return t("{} gegen {}", "{} against {}").format(*collection.labels)
    bots = t.count(len(collection.bots), ("Bot", "Bots"), ("bot", "bots"))
    return t(f"Turnier mit {bots}", f"Tournament of {bots}")


def verdict(collection: Collection, t: Language) -> Iterator[str]:
    """Yield what is proved, in plain words."""
    if not collection.games:
        yield t("Noch ist kein Spiel zu Ende.", "No game is finished yet.")
    elif collection.is_duel:
        yield t.text(collection.conclusion.text)
    else:
        yield from _tournament_verdict(collection, t)


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
    if not collection.is_complete:
        for run in collection.runs:
            if not run.has_all_matches:
                played, planned = t.number(run.played), t.number(run.planned)
                said = t(
                    f"{played} von {planned} Spielen sind gespielt. Weiter geht es mit",
                    f"{played} of {planned} games have been played. Play the rest with",
                )
                folder = escape(one_line(str(run.folder)))
                yield f"{said} <code>spielleiter resume {folder}</code>."
    if (late := collection.delay) > LATE_SECONDS:
        yield t(
            f"Der Rechner selbst war bis zu {t.seconds(late)} zu spät. Wer Zeit überschritten hat, "
            "kann unschuldig sein: weniger Spiele zugleich (<code>--parallel</code>) helfen.",
            f"The machine itself was late by up to {t.seconds(late)}. Bots that ran out of time "
            "may not be to blame: fewer games at once (<code>--parallel</code>) help.",
        )
    if collection.is_duel and (repeated := collection.summary.repeated):
        games = t.count(
            repeated, ("Spiel wiederholt", "Spiele wiederholen"), ("game repeats", "games repeat")
        )
        yield t(
            f"{games} ein anderes Zug für Zug und zählt in den Fehlern nur einmal.",
            f"{games} another one move by move and counts only once in the errors.",
        )
    if collection.games and not collection.ratings.is_connected:
        yield t(
            "Nicht alle Bots sind durch Spiele verbunden: Wertungen verschiedener Gruppen lassen "
            "sich nicht vergleichen.",
            "Not all bots are connected by games: ratings of different groups cannot be compared.",
        )


def tiles(collection: Collection, t: Language) -> str:
    """Return the most important numbers."""
    games = collection.games
    thrown = sum(bool(game.offenders) for game in games)
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
            draws = sum(game.winner is None for game in games)
            found.append((t.number(draws), t("Unentschieden", "draws")))
        found.append((t.number(thrown), t("durch Fehler verloren", "lost by a fault")))
        seconds = [game.seconds for game in games if game.seconds is not None]
        if seconds:
            mean = sum(seconds) / len(seconds)
            found.append((t.seconds(mean), t("je Spiel im Mittel", "a game on average")))
    items = "".join(f"<li><b>{escape(n)}</b><span>{escape(what)}</span></li>" for n, what in found)
    return f'<ul class="tiles">{items}</ul>'
