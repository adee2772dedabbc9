"""Positions for tests: by hand, by chance, by hypothesis, and as the slow implementation
sees them.
"""

from __future__ import annotations

from hypothesis import strategies as st

from games.hase_und_igel.slow_hare import Slow
from spielleiter.games.hase_und_igel import (
    HASE_UND_IGEL,
    Action,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    Field,
    Hare,
    HareState,
    PlayCard,
)

FIXED = {0: Field.START, 64: Field.GOAL} | dict.fromkeys((10, 22, 42, 57), Field.SALAD)
FIXED |= dict.fromkeys((11, 15, 19, 24, 30, 37, 43, 50, 56), Field.HEDGEHOG)


def board(**kinds: int | tuple[int, ...]) -> tuple[Field, ...]:
    """Carrots everywhere but on the fixed fields and where asked: ``board(HARE=(5, 7),
    POSITION_1=3)``.
    """
    fields = [FIXED.get(index, Field.CARROT) for index in range(65)]
    for kind, indices in kinds.items():
        for index in (indices,) if isinstance(indices, int) else indices:
            fields[index] = Field[kind]
    return tuple(fields)


def place(
    red: Hare, blue: Hare, turn: int = 10, fields: tuple[Field, ...] | None = None
) -> HareState:
    return HareState(HASE_UND_IGEL, fields or board(), (red, blue), turn, None)


def moves(state: HareState) -> list[str]:
    return [str(move) for move in state.legal_moves()]


def slow(state: HareState) -> Slow:
    """The same position for the slow implementation."""
    return Slow(
        board=[field.name for field in state.board],
        turn=state.turn,
        index=[hare.position for hare in state.hares],
        carrots=[hare.carrots for hare in state.hares],
        salads=[hare.salads for hare in state.hares],
        cards=[[card.name for card in hare.cards] for hare in state.hares],
        last=["" if hare.last_action is None else str(hare.last_action) for hare in state.hares],
    )


INNER = [
    Field.CARROT,
    Field.HARE,
    Field.HARE,
    Field.SALAD,
    Field.HEDGEHOG,
    Field.POSITION_1,
    Field.POSITION_2,
]
boards = st.one_of(
    st.integers(0, 10**6).map(lambda seed: HASE_UND_IGEL.start(seed).board),
    # Boards nobody draws, full of hare fields, where card sequences get long.
    st.lists(st.sampled_from(INNER), min_size=63, max_size=63).map(
        lambda inner: (Field.START, *inner, Field.GOAL),
    ),
)
actions: st.SearchStrategy[Action] = st.one_of(
    st.integers(1, 63).map(Advance),
    st.builds(PlayCard, st.sampled_from(Card), st.sampled_from([20, 0, -20])),
    st.sampled_from([ExchangeCarrots(10), ExchangeCarrots(-10), EatSalad(), FallBack()]),
)


@st.composite
def states(draw: st.DrawFn) -> HareState:
    """Any position that makes sense, reachable or not; close to each other and to the goal more
    often.
    """
    fields = draw(boards)
    first = draw(st.one_of(st.integers(1, 64), st.integers(52, 64)))
    gap = draw(st.one_of(st.integers(-4, 4), st.integers(-64, 64)))
    second = min(64, max(0, first + gap))
    if second == first != 64:
        second -= 1
    hares = []
    for position in (first, second):
        salads = draw(st.integers(0, 5))
        last = draw(st.one_of(st.none(), actions))
        if fields[position] is Field.SALAD and salads == 0:
            last = EatSalad()  # nobody comes here otherwise
        if isinstance(last, PlayCard) and last.card is not Card.TAKE_OR_DROP_CARROTS:
            last = PlayCard(last.card)
        carrots = draw(st.one_of(st.integers(0, 40), st.integers(0, 300)))
        cards = tuple(card for card in Card if draw(st.booleans()))
        order = draw(st.integers(0, 3)) if isinstance(last, PlayCard) else 0
        hares.append(Hare(position, carrots, salads, cards, last, order))
    if draw(st.booleans()):
        hares.reverse()
    turn = draw(st.integers(1, 60))
    return HareState(HASE_UND_IGEL, fields, (hares[0], hares[1]), turn, None)
