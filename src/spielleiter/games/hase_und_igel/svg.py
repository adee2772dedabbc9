"""A position of Hase und Igel drawn as SVG, for pages and notebooks. Output only.

The pages about the rules draw their pictures with the same functions.
"""

from __future__ import annotations

import math

from spielleiter.games import drawing
from spielleiter.games.hase_und_igel.rules.board import Field
from spielleiter.games.hase_und_igel.rules.state import HareState

FILLS = {
    Field.START: "#ebe8e0",
    Field.CARROT: "#fbe3c8",
    Field.HARE: "#e9e0d3",
    Field.SALAD: "#d9efcf",
    Field.HEDGEHOG: "#d9c6b2",
    Field.POSITION_1: "#e0e6fb",
    Field.POSITION_2: "#f4dcec",
    Field.GOAL: "#ebe8e0",
}
COLUMNS, SIDE, GAP = 13, 66.0, 6.0


def draw_sign(field: Field, x: float, y: float) -> str:
    """Return a sign for a kind of field around (x, y), some 30 wide."""
    if field is Field.CARROT:
        leaf = drawing.line([(x, y - 5), (x - 5, y - 15)], stroke="#3c8a2e", stroke_width=3)
        leaf += drawing.line([(x, y - 5), (x, y - 17)], stroke="#3c8a2e", stroke_width=3)
        leaf += drawing.line([(x, y - 5), (x + 5, y - 15)], stroke="#3c8a2e", stroke_width=3)
        return leaf + drawing.element(
            "path", d=f"M{x - 6:.0f} {y - 6:.0f} h12 L{x:.0f} {y + 15:.0f} Z", fill="#e8731a"
        )
    if field is Field.SALAD:
        leaves = ((-7, 0), (7, 0), (0, -6), (0, 6))
        return "".join(
            drawing.element(
                "circle",
                cx=x + dx,
                cy=y + dy,
                r=8,
                fill="#5aa83e",
                stroke="#2f6b1e",
                stroke_width=1.2,
            )
            for dx, dy in leaves
        )
    if field is Field.HARE:
        ears = "".join(
            drawing.element(
                "ellipse", cx=x + dx, cy=y - 10, rx=3.4, ry=9, fill="#8f7a60", stroke="#4f3521"
            )
            for dx in (-5, 5)
        )
        head = drawing.element("circle", cx=x, cy=y + 4, r=10, fill="#8f7a60", stroke="#4f3521")
        eyes = "".join(
            drawing.element("circle", cx=x + dx, cy=y + 2, r=1.5, fill="#ffffff") for dx in (-4, 4)
        )
        return ears + head + eyes
    if field is Field.HEDGEHOG:
        spikes = "".join(
            drawing.line(
                [(x, y + 9), (x + 19 * math.cos(turn), y + 9 - 21 * math.sin(turn))],
                stroke="#4f3521",
            )
            for turn in (math.pi * n / 10 for n in range(2, 11))
        )
        body = drawing.element(
            "path", d=f"M{x - 14:.0f} {y + 11:.0f} a13 14 0 0 1 26 0 Z", fill="#7a5638"
        )
        nose = f"M{x + 5:.0f} {y + 2:.0f} L{x + 19:.0f} {y + 10:.0f} L{x + 5:.0f} {y + 11:.0f} Z"
        face = drawing.element("path", d=nose, fill="#c9a37c") + drawing.element(
            "circle", cx=x + 18, cy=y + 10, r=2
        )
        return spikes + body + face + drawing.element("circle", cx=x + 10, cy=y + 7, r=1.3)
    if field in (Field.POSITION_1, Field.POSITION_2):
        return drawing.element(
            "circle", cx=x, cy=y, r=14, fill=drawing.PAPER, stroke=drawing.INK, stroke_width=2
        ) + drawing.text(x, y + 7, field.value[-1], size=20, font_weight="bold")
    if field is Field.GOAL:
        pole = drawing.line([(x - 9, y + 15), (x - 9, y - 15)], stroke_width=3)
        return pole + drawing.element(
            "path", d=f"M{x - 8:.0f} {y - 15:.0f} l20 7 l-20 7 Z", fill=drawing.INK
        )
    return drawing.line([(x - 13, y), (x + 12, y)], stroke_width=3) + drawing.line(
        [(x + 4, y - 8), (x + 12, y), (x + 4, y + 8)], stroke_width=3
    )


def place(index: int) -> tuple[float, float]:
    """Return where a field lies.

    The track runs like a snake, so that neighbours are neighbours.
    """
    row, column = divmod(index, COLUMNS)
    if row % 2:
        column = COLUMNS - 1 - column
    return 20 + column * (SIDE + GAP), 20 + row * (SIDE + 22)


_TOP = 50.0
_SEATS = (("R", "#cf332c", "#7a1410"), ("B", "#2460c8", "#12387c"))
"""Letter, colour and outline of each seat's hare."""


def draw(state: HareState) -> str:
    """Return the track with both hares on it, and below it what each of them has."""
    places = [place(index) for index in range(len(state.board))]
    title, standing = _words(state)
    parts = [drawing.line([(x + SIDE / 2, y + SIDE / 2) for x, y in places], **_PATH)]
    parts += [
        _field(index, field, at)
        for index, (field, at) in enumerate(zip(state.board, places, strict=True))
    ]
    for seat, hare in enumerate(state.hares):
        x, y = places[hare.position]
        parts.append(_piece(seat, x + (18 if seat == 0 else SIDE - 18), y + SIDE - 10))
    bottom = places[-1][1] + SIDE + 30
    parts += [_stock(state, seat, bottom + 30 * seat) for seat in range(len(state.hares))]
    width = 34 + COLUMNS * (SIDE + GAP)
    head = [
        drawing.text(20, 22, title, size=16, font_weight="bold", text_anchor="start"),
        drawing.text(20, 42, standing, size=13, text_anchor="start"),
    ]
    board = drawing.element("g", "".join(parts), transform=f"translate(0 {drawing.number(_TOP)})")
    return drawing.picture(width, _TOP + bottom + 60, f"{title}: {standing}", [*head, board])


_PATH: dict[str, str | float] = {"stroke": "#cfc8b8", "stroke_width": 16}


def _words(state: HareState) -> tuple[str, str]:
    title = f"{state.game.title}, round {state.round}"
    if not state.is_over:
        return title, f"{state.game.seat_names[state.seat].en} to move"
    outcome = state.outcome()
    reason = " ".join(outcome.reason.en.split())
    winner = (
        "draw" if outcome.winner is None else f"{state.game.seat_names[outcome.winner].en} wins"
    )
    return title, f"over, {winner}. {reason}"


def _field(index: int, field: Field, at: tuple[float, float]) -> str:
    x, y = at
    return (
        drawing.square(x, y, SIDE, rx=9, fill=FILLS[field], stroke=drawing.EDGE)
        + draw_sign(field, x + SIDE / 2, y + SIDE / 2 + 7)
        + drawing.text(x + 7, y + 16, str(index), size=12, text_anchor="start")
    )


def _piece(seat: int, x: float, y: float) -> str:
    letter, fill, edge = _SEATS[seat]
    return drawing.element(
        "circle", cx=x, cy=y, r=14, fill=fill, stroke=edge, stroke_width=3
    ) + drawing.text(x, y + 6, letter, size=16, fill=drawing.PAPER, font_weight="bold")


def _stock(state: HareState, seat: int, y: float) -> str:
    hare = state.hares[seat]
    cards = ", ".join(card.value for card in hare.cards) or "none"
    words = f"field {hare.position}, carrots {hare.carrots}, salads {hare.salads}, cards: {cards}"
    on_turn = seat == state.seat and not state.is_over
    return _piece(seat, 34, y) + drawing.text(
        58,
        y + 5,
        words,
        size=14,
        font_weight="bold" if on_turn else "normal",
        text_anchor="start",
    )
