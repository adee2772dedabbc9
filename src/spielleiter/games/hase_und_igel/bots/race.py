"""How many turns a hare alone on the track needs to the goal: exact tables for one board, and who
leads by them.

Alone means that nobody is in the way and the rank never changes; there is a table for a hare that
is always first and one for a hare that is always second. Nothing here looks ahead: see
``outlook.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from spielleiter.games.hase_und_igel.rules.board import (
    GOAL_INDEX,
    LENGTH,
    TO_GOAL,
    TO_HARE,
    TO_SALAD,
    Board,
    Field,
    Track,
    track_of,
)
from spielleiter.games.hase_und_igel.rules.moves import EXCHANGE_VALUES, TAKE_OR_DROP_VALUES, Card
from spielleiter.games.hase_und_igel.rules.state import START_SALADS
from spielleiter.games.hase_und_igel.rules.steps import (
    CARD_BITS,
    FIRST_GAIN,
    GOAL_CARROTS,
    RETREAT_GAIN,
    SECOND_GAIN,
    Runner,
    Step,
)

# A set of stocks is one large integer with a bit for each stock: bit 1024 * salads + 256 * cards +
# carrots, where of the cards only those two count that need no opponent. Paying, earning, eating or
# playing a card moves all bits at once: a shift, and a mask against those that would slip into a
# neighbour's place. One turn of all hares on one field, whatever they own, is some twenty shifts; a
# whole board is solved in a fraction of a second.
CARROTS_KNOWN = 256
"""The tables know 0 to 255 carrots. Nobody who wants to win needs more."""
_CARD, _SALAD = CARROTS_KNOWN, 4 * CARROTS_KNOWN
_STOCKS = _SALAD * (START_SALADS + 1)
_TAKE, _EAT = CARD_BITS[Card.TAKE_OR_DROP_CARROTS], CARD_BITS[Card.EAT_SALAD]
_SOLO_CARDS = _TAKE | _EAT

HUNGRY = LENGTH
"""Added to the index of a salad field: the hare there has still to eat."""

MOST_TURNS = 42
"""More turns than this are not told apart: a game is over after 30."""


def stock(carrots: int, salads: int, cards: int) -> int:
    """The place of a stock in the tables, cards as in a Runner; more than they know counts as the
    most they know.
    """
    return (
        _SALAD * min(salads, START_SALADS)
        + _CARD * (cards & _SOLO_CARDS)
        + min(carrots, CARROTS_KNOWN - 1)
    )


def _every(
    carrots: range, salads: range, cards: tuple[int, ...] = (0, _TAKE, _EAT, _TAKE | _EAT)
) -> int:
    """The set of all stocks within these bounds."""
    lane = sum(1 << number for number in carrots)
    return sum(lane << _SALAD * number + _CARD * held for number in salads for held in cards)


_ANY, _SOME = range(START_SALADS + 1), range(1, START_SALADS + 1)
_ALL_STOCKS = _every(range(CARROTS_KNOWN), _ANY)
_READY_FOR_GOAL = _every(range(GOAL_CARROTS + 1), range(1))
_WITH_SALAD = _every(range(CARROTS_KNOWN), _SOME)
_WITH_TAKE = _every(range(CARROTS_KNOWN), _ANY, (_TAKE, _TAKE | _EAT))
_WITH_SALAD_AND_EAT = _every(range(CARROTS_KNOWN), _SOME, (_EAT, _TAKE | _EAT))


@lru_cache(maxsize=2 * CARROTS_KNOWN)
def _able_to(change: int) -> int:
    """The stocks whose carrots can change by so many and stay within the tables."""
    return _every(range(max(0, -change), min(CARROTS_KNOWN, CARROTS_KNOWN - change)), _ANY)


def _before(stocks: int, change: int) -> int:
    """The stocks of which a change of carrots makes one of ``stocks``."""
    return (stocks >> change if change >= 0 else stocks << -change) & _able_to(change)


def _layers(track: Track, gain: int, bonus_field: Field) -> Iterator[list[int]]:
    """For 0, 1, 2, … turns: the stocks on each field with which that many are enough.

    ``gain`` is what a salad and the ``bonus_field`` bring. Stocks are those at the start of the
    hare's turn.
    """
    enough = [0] * (2 * LENGTH)
    enough[GOAL_INDEX] = _READY_FOR_GOAL
    while True:
        yield enough
        entering = [
            _enough_to_enter(
                enough, index, track.demands[index], gain, gain if field is bonus_field else 0
            )
            for index, field in enumerate(track.board)
        ]
        enough = [
            *(
                enough[index] | _enough_to_leave(track, entering, enough[index], index)
                for index in range(LENGTH)
            ),
            *(_before(enough[index], gain) << _SALAD & _WITH_SALAD for index in range(LENGTH)),
        ]


def _enough_to_enter(enough: list[int], index: int, demand: int, gain: int, bonus: int) -> int:
    """The stocks after paying with which coming to a field is enough, with the cards played
    there.
    """
    if demand == TO_SALAD:
        return enough[HUNGRY + index]
    if demand == TO_GOAL:
        return _READY_FOR_GOAL  # and nobody falls back from there
    if demand != TO_HARE:
        return _before(enough[index], bonus)
    stocks = _before(enough[index], gain) << _SALAD + _CARD * _EAT & _WITH_SALAD_AND_EAT
    with_take = enough[index] << _CARD * _TAKE & _WITH_TAKE
    for value in TAKE_OR_DROP_VALUES:
        stocks |= _before(with_take, value)
    return stocks


def _enough_to_leave(track: Track, entering: list[int], here: int, index: int) -> int:
    """The stocks at the start of a turn on a field from which some move leads to a stock that is
    enough.
    """
    stocks = 0
    for _, cost, target, _ in track.advances[index]:
        if cost >= CARROTS_KNOWN:
            break
        stocks |= _before(entering[target], -cost)
    if track.board[index] is Field.CARROT:
        for value in EXCHANGE_VALUES:
            stocks |= _before(here, value)
    hedgehog = track.hedgehog_behind[index]
    if hedgehog >= 0:
        stocks |= _before(entering[hedgehog], RETREAT_GAIN * (index - hedgehog))
    return stocks


_BITS_TO_BYTES = bytes.maketrans(b"01", b"\x00\x01")


def solo_turns(board: Board, gain: int, bonus_field: Field) -> tuple[bytes, ...]:
    """The turns to the goal of a hare on its turn: a row for each field and HUNGRY + field, bytes
    by ``stock``.

    Nobody skips in them, and nobody ever owns more carrots than they know.
    """
    places = [
        *range(LENGTH),
        *(HUNGRY + index for index, field in enumerate(board) if field is Field.SALAD),
    ]
    # A stock needs as many turns as there are layers in which it is missing. All stocks are counted
    # at once, in binary: bit n of the number of a stock is its bit in the n-th of these sets.
    counts = [[0] * MOST_TURNS.bit_length() for _ in range(2 * LENGTH)]
    for layer in islice(_layers(track_of(board), gain, bonus_field), MOST_TURNS):
        for place in places:
            count, carry, digit = counts[place], _ALL_STOCKS ^ layer[place], 0
            while carry:
                count[digit], carry = count[digit] ^ carry, count[digit] & carry
                digit += 1
    return tuple(
        sum(_bytes_of(stocks) << digit for digit, stocks in enumerate(count)).to_bytes(
            _STOCKS, "little"
        )
        for count in counts
    )


def _bytes_of(stocks: int) -> int:
    """The set with a byte for each stock instead of a bit: numbers can be added up in it."""
    return int.from_bytes(f"{stocks:b}".encode().translate(_BITS_TO_BYTES), "big")


def _waiting(
    rows: tuple[bytes, ...], board: Board, gain: int, bonus_field: Field
) -> tuple[bytes, ...]:
    """The same rows for a hare before its turn: it is still to be paid for its field."""

    def unpaid(row: bytes) -> bytes:
        lanes = (row[start : start + CARROTS_KNOWN] for start in range(0, _STOCKS, CARROTS_KNOWN))
        return b"".join(lane[gain:] + lane[-1:] * gain for lane in lanes)

    paying = {index for index, field in enumerate(board) if field is bonus_field}
    return tuple(unpaid(row) if place in paying else row for place, row in enumerate(rows))


# Ranks change, but seldom soon: the farther apart the hares are, the more we believe in those of
# the moment.
PARTS = 12
_TRUST = {gap: 6 + max(-2, min(2, round(0.3 * gap))) for gap in range(1 - LENGTH, LENGTH)}
"""By how many fields a hare is ahead: how many of twelve parts it counts as the first; as the
second in the others.
"""

_JUMP_WORTH = 3
_JUMPS_WORTH = tuple(
    _JUMP_WORTH * sum(cards & CARD_BITS[card] > 0 for card in (Card.HURRY_AHEAD, Card.FALL_BACK))
    for cards in range(16)
)
"""What the two cards are worth of which the tables know nothing, by the bits of all cards: a
quarter of a turn each.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Race:
    """The tables of one board, for hares that wait for their turn: rows as in ``solo_turns``, bytes
    by ``stock``.
    """

    first: tuple[bytes, ...]
    second: tuple[bytes, ...]

    def leads(self, found: list[Step], other: Runner) -> list[int]:
        """For each step of a hare: by how many twelfths of a turn it leads the race against
        ``other`` after it.
        """
        first, second, most = self.first, self.second, CARROTS_KNOWN - 1
        field, carrots, salads, cards, must_eat = other
        place = HUNGRY + field if must_eat else field
        held = stock(carrots, salads, cards)
        other_first, other_second, other_jumps = (
            first[place][held],
            second[place][held],
            _JUMPS_WORTH[cards],
        )
        leads = []
        for _, position, carrots, salads, cards, must_eat in found:
            place = HUNGRY + position if must_eat else position
            # As ``stock`` has it, but without calls: most of a search's time is spent here.
            held = _SALAD * salads + _CARD * (cards & _SOLO_CARDS)
            held += carrots if carrots < most else most  # noqa: FURB136
            trust = _TRUST[position - field]
            leads.append(
                trust * (other_second - first[place][held])
                + (PARTS - trust) * (other_first - second[place][held])
                + _JUMPS_WORTH[cards]
                - other_jumps
            )
        return leads


@lru_cache(maxsize=8)
def race_of(board: Board) -> Race:
    """The tables of a board; a new one takes about a tenth of a second."""
    return Race(
        *(
            _waiting(solo_turns(board, gain, bonus_field), board, gain, bonus_field)
            for gain, bonus_field in (
                (FIRST_GAIN, Field.POSITION_1),
                (SECOND_GAIN, Field.POSITION_2),
            )
        )
    )
