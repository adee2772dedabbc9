"""Say in three sentences how a match went, which move cost most, and what was given away in all.

They are for pupils, in German and English, about both players by name or to one of them as "you".
Nothing is judged here, and names are shown as they are given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from spielleiter.engine.review import JudgedMove, Review
from spielleiter.engine.verdicts import WIN_SLIPS, Verdict
from spielleiter.rules import Cause, Outcome, Text

FAR_AHEAD = 0.6
"""From this chance to win on somebody is ahead, and below it is even."""
_CAUSES = {
    Cause.LEFT: Text("die Partie verlassen", "left the match"),
    Cause.RULE_VIOLATION: Text("eine Regel gebrochen", "broke a rule"),
    Cause.SOFT_TIMEOUT: Text("zu lange gebraucht", "took too long"),
    Cause.HARD_TIMEOUT: Text("nicht mehr geantwortet", "did not answer any more"),
}
_THIRDS = (
    Text("am Anfang", "at the beginning"),
    Text("in der Mitte", "in the middle"),
    Text("am Ende", "at the end"),
)
_WHOLE = Text("Insgesamt", "In all")
_PART = Text("In den bewerteten Zügen", "In the moves that were judged")
_KINDS = {
    Verdict.BLUNDER: (
        Text("{n} grober Fehler", "{n} blunder"),
        Text("{n} grobe Fehler", "{n} blunders"),
    ),
    Verdict.MISTAKE: (Text("{n} Fehler", "{n} mistake"), Text("{n} Fehler", "{n} mistakes")),
    Verdict.INACCURACY: (
        Text("{n} Ungenauigkeit", "{n} inaccuracy"),
        Text("{n} Ungenauigkeiten", "{n} inaccuracies"),
    ),
}


@dataclass(frozen=True, slots=True)
class _Person:
    """How a sentence speaks of a player."""

    first: Text
    """At the beginning of a sentence."""
    inner: Text
    """Anywhere else."""
    dative: str
    whose: str
    has: str = "hat"
    lay: str = "lag"
    was: str = "was"


def explain_review(
    review: Review, names: Sequence[str], outcome: Outcome | None, *, you: int | None = None
) -> tuple[Text, Text, Text]:
    """Return the three sentences about a match. ``you`` is the seat that they speak to."""
    people = [_person(review, names, seat, you) for seat in range(review.game.seats)]
    seat = _subject(review, outcome) if you is None else you
    return (
        _tell_course(review, people, outcome),
        _tell_worst(review, people, seat),
        _tell_sum(review, people, seat),
    )


def _person(review: Review, names: Sequence[str], seat: int, you: int | None) -> _Person:
    if seat == you:
        return _Person(
            Text("Du", "You"), Text("du", "you"), "dir", "yours", "hast", "lagst", "were"
        )
    name, title = names[seat].strip(), review.game.seat_names[seat]
    called = Text(name, name) if name else title
    if name and list(names).count(names[seat]) > 1:
        called = Text(f"{name} ({title.de})", f"{name} ({title.en})")
    return _Person(called, called, called.de, called.en)


def _subject(review: Review, outcome: Outcome | None) -> int:
    """Return the seat whose moves are spoken of: who lost, or else who made the worst move."""
    if outcome is not None and outcome.winner is not None:
        return 1 - outcome.winner
    found = max(filter(None, review.moves), key=_weight, default=None)
    return 0 if found is None else found.seat


# How it went


def _tell_course(review: Review, people: Sequence[_Person], outcome: Outcome | None) -> Text:
    known = [index for index, one in enumerate(review.estimates) if one is not None]
    if outcome is None:
        standing = _standing(review, people, known)
        turn = review.turns[-1]
        return Text(
            f"Die Aufzeichnung endet in Zug {turn} ohne Ergebnis{standing.de}.",
            f"The recording ends at turn {turn} without a result{standing.en}.",
        )
    guilty = [seat for seat, line in enumerate(outcome.seats) if line.cause is not Cause.REGULAR]
    if guilty:
        return _tell_fault(review, people, outcome, guilty, known)
    score = review.game.describe_result(outcome)
    if outcome.winner is None:
        return Text(
            f"Die Partie ging unentschieden aus, {score.de}.", f"The match was drawn, {score.en}."
        )
    return _tell_win(review, people, outcome.winner, score, known)


def _tell_fault(
    review: Review,
    people: Sequence[_Person],
    outcome: Outcome,
    guilty: Sequence[int],
    known: Sequence[int],
) -> Text:
    """Say who ended the match and how it stood until then."""
    turn = review.turns[-1]
    parts = []
    for number, seat in enumerate(guilty):
        person, cause = people[seat], _CAUSES[outcome.seats[seat].cause]
        who = person.inner if number else person.first
        parts.append(Text(f"{who.de} {person.has} {cause.de}", f"{who.en} {cause.en}"))
    faults = Text(" und ".join(one.de for one in parts), " and ".join(one.en for one in parts))
    standing = _standing(review, people, known)
    return Text(
        f"{faults.de}, deshalb war in Zug {turn} Schluss{standing.de}.",
        f"{faults.en}, so it was over at turn {turn}{standing.en}.",
    )


def _standing(review: Review, people: Sequence[_Person], known: Sequence[int]) -> Text:
    """Return who was ahead in the last position that was judged, as the end of a sentence."""
    estimate = review.estimates[known[-1]] if known else None
    if estimate is None:
        return Text("", "")
    seat = 0 if estimate.win >= 0.5 else 1
    seen, person = estimate.seen_by(seat), people[seat]
    if seen.win < FAR_AHEAD:
        return Text("; bis dahin stand es ausgeglichen", "; until then it was even")
    chance = _percent(seen.win)
    return Text(
        f"; bis dahin {person.lay} {person.inner.de} vorn (Gewinnchance {chance})",
        f"; until then {person.inner.en} {person.was} ahead (chance to win {chance})",
    )


def _tell_win(
    review: Review, people: Sequence[_Person], winner: int, score: Text, known: Sequence[int]
) -> Text:
    """Say who won and when that was decided."""
    person, other = people[winner], people[1 - winner]
    won = Text(
        f"{person.first.de} {person.has} mit {score.de} gewonnen",
        f"{person.first.en} won {score.en}",
    )
    chances = {
        index: one.seen_by(1 - winner).win
        for index in known
        if (one := review.estimates[index]) is not None
    }
    behind = [index for index, chance in chances.items() if chance > 0.5]
    if not chances or not review.is_complete:
        return Text(f"{won.de}.", f"{won.en}.")
    if not behind:
        return Text(
            f"{won.de} und {person.lay} immer vorn.", f"{won.en} and {person.was} ahead all along."
        )
    turn, peak = review.turns[behind[-1]], max(chances[index] for index in behind)
    if peak < FAR_AHEAD:
        return Text(
            f"{won.de}; bis Zug {turn} war es ausgeglichen.",
            f"{won.en}; until turn {turn} it was even.",
        )
    chance = _percent(peak)
    return Text(
        f"{won.de}; davor {other.lay} {other.inner.de} vorn (Gewinnchance bis zu {chance}), "
        f"zuletzt in Zug {turn}.",
        f"{won.en}; before that {other.inner.en} {other.was} ahead (chance to win up to {chance}), "
        f"last at turn {turn}.",
    )


# The costliest move


def _tell_worst(review: Review, people: Sequence[_Person], seat: int) -> Text:
    person = people[seat]
    moves = [move for move in review.moves if move is not None and move.seat == seat]
    worst = max(moves, key=_weight, default=None)
    if worst is None:
        return Text(
            f"Von {person.dative} wurde kein Zug bewertet.",
            f"No move of {person.whose} was judged.",
        )
    if worst.verdict is Verdict.GOOD:
        limit, unit = round(review.slips[0]), review.game.score_unit
        return Text(
            f"{person.first.de} {person.has} keinen Zug gemacht, der {limit} {unit.de} oder mehr "
            "gekostet hat.",
            f"{person.first.en} made no move that cost {limit} {unit.en} or more.",
        )
    lost, formats = _loss(review, worst), review.game.format_move
    played, best = formats(worst.move), formats(worst.best)
    reason = Text("", "")
    if worst.remark is not None:
        reason = Text(f"; {worst.remark.de}", f"; {worst.remark.en}")
    return Text(
        f"{person.first.de} {person.has} {lost.de} in Zug {worst.turn} verloren: {played} statt "
        f"{best}{reason.de}.",
        f"{person.first.en} lost {lost.en} at turn {worst.turn}: {played} instead of "
        f"{best}{reason.en}.",
    )


def _loss(review: Review, move: JudgedMove) -> Text:
    """Return what a move cost, as points, as chance to win, or both."""
    points, chance, unit = round(move.lost), _percent(move.lost_win), review.game.score_unit
    parts = []
    if move.lost >= min(review.slips[0], 2.0):
        parts.append(Text(f"{points} {unit.de}", f"{points} {unit.en}"))
    if move.lost_win >= WIN_SLIPS[0]:
        parts.append(Text(f"{chance} Gewinnchance", f"{chance} of the chance to win"))
    return Text(" und ".join(one.de for one in parts), " and ".join(one.en for one in parts))


def _weight(move: JudgedMove) -> tuple[int, float]:
    """Return what makes a move worse than another. The verdict counts first."""
    return list(Verdict).index(move.verdict), move.lost + 100 * move.lost_win


# What was given away


def _tell_sum(review: Review, people: Sequence[_Person], seat: int) -> Text:
    person, other = people[seat], people[1 - seat]
    slips, others = _slips(review, seat), _slips(review, 1 - seat)
    unit = review.game.score_unit
    rest = Text(
        f"bei {other.dative} waren es {_sum(others)} ({_kinds(others).de})",
        f"{other.inner.en} gave away {_sum(others)} ({_kinds(others).en})",
    )
    if not others:
        rest = Text(f"bei {other.dative} war es nichts", f"{other.inner.en} gave away nothing")
    begin = _WHOLE if review.is_complete else _PART
    if not slips:
        return Text(
            f"{begin.de} {person.has} {person.inner.de} nichts verschenkt; {rest.de}.",
            f"{begin.en} {person.inner.en} gave away nothing; {rest.en}.",
        )
    kinds, where = _kinds(slips), Text("", "")
    if review.is_complete:
        third = _worst_third(review, slips)
        where = Text(f", das meiste {third.de}", f", most of it {third.en}")
    return Text(
        f"{begin.de} {person.has} {person.inner.de} {_sum(slips)} {unit.de} verschenkt "
        f"({kinds.de}){where.de}; {rest.de}.",
        f"{begin.en} {person.inner.en} gave away {_sum(slips)} {unit.en} ({kinds.en}){where.en}; "
        f"{rest.en}.",
    )


def _slips(review: Review, seat: int) -> list[JudgedMove]:
    return [
        move
        for move in review.moves
        if move is not None and move.seat == seat and move.verdict is not Verdict.GOOD
    ]


def _sum(slips: Sequence[JudgedMove]) -> int:
    return round(sum(move.lost for move in slips))


def _kinds(slips: Sequence[JudgedMove]) -> Text:
    counts = Counter(move.verdict for move in slips)
    parts = [
        forms[counts[verdict] > 1].format(n=counts[verdict])
        for verdict, forms in _KINDS.items()
        if counts[verdict]
    ]
    return Text(", ".join(one.de for one in parts), ", ".join(one.en for one in parts))


def _worst_third(review: Review, slips: Sequence[JudgedMove]) -> Text:
    sums = [0.0] * len(_THIRDS)
    for move in slips:
        sums[len(_THIRDS) * move.index // max(1, len(review.moves))] += move.lost
    return _THIRDS[max(range(len(_THIRDS)), key=sums.__getitem__)]


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"
