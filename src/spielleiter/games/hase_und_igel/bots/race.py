"""Exact tables of how many turns a hare alone on the track needs to the goal.

They also tell which hare leads. Alone means that nobody is in the way and the rank never changes.
There is a table for a hare that is always first and one for a hare that is always second. Looking
ahead is done in ``outlook.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice

from spielleiter.games.hase_und_igel.rules.board import (
    TO_GOAL,
    TO_HARE,
    TO_SALAD,
    Board,
    Field,
    Track,
    make_track,
)
from spielleiter.games.hase_und_igel.rules.moves import Card
from spielleiter.games.hase_und_igel.rules.seasons import Season
from spielleiter.games.hase_und_igel.rules.steps import CARD_BITS, Runner, Step
from spielleiter.rules.frozen import frozen

# A set of stocks is one large integer with a bit for each stock: bit 1024 * salads + 256 * cards +
# carrots, where of the cards only those two count that need no opponent. Paying, earning, eating or
# playing a card moves all bits at once: a shift, and a mask against those that would slip into a
# neighbour's place. One turn of all hares on one field, whatever they own, is some twenty shifts; a
# whole board is solved in a fraction of a second. One by one these would be 400,000 hares, each
# with a dozen moves, for up to 42 turns, which takes minutes in Python.
CARROTS_KNOWN = 256
"""The tables know 0 to 255 carrots. Nobody who wants to win needs more."""
_CARD, _SALAD = CARROTS_KNOWN, 4 * CARROTS_KNOWN
_TAKE, _EAT = CARD_BITS[Card.TAKE_OR_DROP_CARROTS], CARD_BITS[Card.EAT_SALAD]
_SOLO_CARDS = _TAKE | _EAT

MOST_TURNS = 42
"""More turns than this are not told apart, as a match of 2018 is over after 30 of each hare."""


def stock(carrots: int, salads: int, cards: int) -> int:
    """Return the place of a stock in the tables, cards as in a Runner.

    More carrots than the tables know count as the most they know. The salads must be at most those
    of the start.
    """
    return _SALAD * salads + _CARD * (cards & _SOLO_CARDS) + min(carrots, CARROTS_KNOWN - 1)


class _Stocks:
    """The sets of stocks that matter in one season."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self._any_salads = any_salads = range(season.start_salads + 1)
        some_salads = range(1, season.start_salads + 1)
        all_carrots = range(CARROTS_KNOWN)
        self.size = _SALAD * len(any_salads)
        self.all = _every(all_carrots, any_salads)
        self.ready_for_goal = _every(range(season.goal_carrots + 1), range(1))
        self.with_salad = _every(all_carrots, some_salads)
        self.with_take = _every(all_carrots, any_salads, (_TAKE, _TAKE | _EAT))
        self.with_salad_and_eat = _every(all_carrots, some_salads, (_EAT, _TAKE | _EAT))
        self._able: dict[int, int] = {}

    def _able_to(self, change: int) -> int:
        """Return the stocks whose carrots can change by so many and stay within the tables."""
        if change not in self._able:
            carrots = range(max(0, -change), min(CARROTS_KNOWN, CARROTS_KNOWN - change))
            self._able[change] = _every(carrots, self._any_salads)
        return self._able[change]

    def before(self, stocks: int, change: int) -> int:
        """Return the stocks of which a change of carrots makes one of ``stocks``."""
        return (stocks >> change if change >= 0 else stocks << -change) & self._able_to(change)


def _every(
    carrots: range, salads: range, cards: tuple[int, ...] = (0, _TAKE, _EAT, _TAKE | _EAT)
) -> int:
    """Return the set of all stocks within these bounds."""
    lane = sum(1 << number for number in carrots)
    return sum(lane << _SALAD * number + _CARD * held for number in salads for held in cards)


@lru_cache(maxsize=8)
def _stocks_of(season: Season) -> _Stocks:
    return _Stocks(season)


def _layers(track: Track, gain: int, bonus_field: Field) -> Iterator[list[int]]:
    """Yield, for 0, 1, 2, … turns, the stocks on each field with which that many are enough.

    ``gain`` is what a salad and the ``bonus_field`` bring. Stocks are those at the start of the
    hare's turn.
    """
    sets, length = _stocks_of(track.season), len(track.board)
    enough = [0] * (2 * length)
    enough[length - 1] = sets.ready_for_goal
    while True:
        yield enough
        entering = [
            _enough_to_enter(sets, enough, track, index, gain, gain if field is bonus_field else 0)
            for index, field in enumerate(track.board)
        ]
        enough = [
            *(
                enough[index] | _enough_to_leave(sets, track, entering, enough[index], index)
                for index in range(length)
            ),
            *(
                sets.before(enough[index], gain) << _SALAD & sets.with_salad
                for index in range(length)
            ),
        ]


def _enough_to_enter(
    sets: _Stocks, enough: list[int], track: Track, index: int, gain: int, bonus: int
) -> int:
    """Return the stocks after paying with which coming to a field is enough.

    They count with the cards played there.
    """
    demand = track.demands[index]
    if demand == TO_SALAD:
        return enough[len(track.board) + index]
    if demand == TO_GOAL:
        return sets.ready_for_goal  # and nobody falls back from there
    if demand != TO_HARE:
        return sets.before(enough[index], bonus)
    eaten = sets.before(enough[index], gain) << _SALAD + _CARD * _EAT
    stocks = eaten & sets.with_salad_and_eat
    with_take = enough[index] << _CARD * _TAKE & sets.with_take
    for value in sets.season.take_or_drop_values:
        stocks |= sets.before(with_take, value)
    return stocks


def _enough_to_leave(
    sets: _Stocks, track: Track, entering: list[int], here: int, index: int
) -> int:
    """Return the stocks at the start of a turn on a field from which some move is enough."""
    stocks = 0
    for _, cost, target, _ in track.advances[index]:
        if cost >= CARROTS_KNOWN:
            break
        stocks |= sets.before(entering[target], -cost)
    if track.board[index] is Field.CARROT:
        for value in sets.season.exchange_values:
            stocks |= sets.before(here, value)
    hedgehog = track.hedgehog_behind[index]
    if hedgehog >= 0:
        stocks |= sets.before(entering[hedgehog], sets.season.retreat_gain * (index - hedgehog))
    return stocks


_BITS_TO_BYTES = bytes.maketrans(b"01", b"\x00\x01")


def solo_turns(season: Season, board: Board, gain: int, bonus_field: Field) -> tuple[bytes, ...]:
    """Return the turns to the goal of a hare on its turn.

    There is a row for each field, and then one for each field on which the hare has still to eat,
    with a byte for each ``stock``. Nobody skips in them, and nobody ever owns more carrots than
    they know.
    """
    sets, length = _stocks_of(season), len(board)
    places = [
        *range(length),
        *(length + index for index, field in enumerate(board) if field is Field.SALAD),
    ]
    # A stock needs as many turns as there are layers in which it is missing. All stocks are counted
    # at once, in binary: bit n of the number of a stock is its bit in the n-th of these sets.
    counts = [[0] * MOST_TURNS.bit_length() for _ in range(2 * length)]
    for layer in islice(_layers(make_track(season, board), gain, bonus_field), MOST_TURNS):
        for place in places:
            count, carry, digit = counts[place], sets.all ^ layer[place], 0
            while carry:
                count[digit], carry = count[digit] ^ carry, count[digit] & carry
                digit += 1
    return tuple(
        sum(_bytes_of(stocks) << digit for digit, stocks in enumerate(count)).to_bytes(
            sets.size, "little"
        )
        for count in counts
    )


def _bytes_of(stocks: int) -> int:
    """Return the set with a byte for each stock instead of a bit, so that sets can be added up."""
    return int.from_bytes(f"{stocks:b}".encode().translate(_BITS_TO_BYTES), "big")


def _waiting(
    rows: tuple[bytes, ...], board: Board, gain: int, bonus_field: Field
) -> tuple[bytes, ...]:
    """Return the same rows for a hare before its turn, which is still to be paid for its field."""

    def unpaid(row: bytes) -> bytes:
        lanes = (row[start : start + CARROTS_KNOWN] for start in range(0, len(row), CARROTS_KNOWN))
        return b"".join(lane[gain:] + lane[-1:] * gain for lane in lanes)

    paying = {index for index, field in enumerate(board) if field is bonus_field}
    return tuple(unpaid(row) if place in paying else row for place, row in enumerate(rows))


# Ranks change, but seldom soon: the farther apart the hares are, the more we believe in those of
# the moment.
PARTS = 12


@cache
def _trust(length: int) -> Mapping[int, int]:
    """Return how many of twelve parts a hare counts as the first, by how many fields it is ahead.

    In the other parts it counts as the second.
    """
    return {gap: 6 + max(-2, min(2, round(0.3 * gap))) for gap in range(1 - length, length)}


_JUMP_WORTH = 3
_JUMPS_WORTH = tuple(
    _JUMP_WORTH * sum(cards & CARD_BITS[card] > 0 for card in (Card.HURRY_AHEAD, Card.FALL_BACK))
    for cards in range(16)
)
"""What the two cards of which the tables know nothing are worth, by the bits of all cards.

It is a quarter of a turn each.
"""


@frozen(eq=False)
class Race:
    """The tables of one board for hares that wait for their turn, as ``solo_turns`` has them."""

    first: tuple[bytes, ...]
    second: tuple[bytes, ...]
    trust: Mapping[int, int]
    hungry: int
    """Added to the index of a salad field, it is the row of a hare that has still to eat there."""

    def leads(self, found: list[Step], other: Runner) -> list[int]:
        """Return for each step by how many twelfths of a turn the hare leads after it."""
        first, second, most = self.first, self.second, CARROTS_KNOWN - 1
        trusts, hungry = self.trust, self.hungry
        field, carrots, salads, cards, must_eat = other
        place = hungry + field if must_eat else field
        held = stock(carrots, salads, cards)
        other_first, other_second, other_jumps = (
            first[place][held],
            second[place][held],
            _JUMPS_WORTH[cards],
        )
        leads = []
        for _, position, carrots, salads, cards, must_eat in found:
            place = hungry + position if must_eat else position
            # As ``stock`` has it, but without calls: most of a search's time is spent here.
            held = _SALAD * salads + _CARD * (cards & _SOLO_CARDS)
            held += carrots if carrots < most else most  # noqa: FURB136
            trust = trusts[position - field]
            leads.append(
                trust * (other_second - first[place][held])
                + (PARTS - trust) * (other_first - second[place][held])
                + _JUMPS_WORTH[cards]
                - other_jumps
            )
        return leads


@lru_cache(maxsize=8)
def race_of(season: Season, board: Board) -> Race:
    """Return the tables of a board. A new one takes about a tenth of a second."""

    def rows(gain: int, bonus_field: Field) -> tuple[bytes, ...]:
        return _waiting(solo_turns(season, board, gain, bonus_field), board, gain, bonus_field)

    return Race(
        rows(season.first_gain, Field.POSITION_1),
        rows(season.second_gain, Field.POSITION_2),
        _trust(len(board)),
        hungry=len(board),
    )
