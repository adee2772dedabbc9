"""Measure Hase und Igel, from single moves to whole random matches and states on the wire."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from benchmarks.measure import Case
from spielleiter.games.hase_und_igel import HASE_UND_IGEL, HareState
from spielleiter.games.hase_und_igel.rules.steps import steps
from spielleiter.match import PlayerSeat, play_match
from spielleiter.rules import FreeClock
from spielleiter.wire.elements import Element
from spielleiter.wire.wording import wording_for


def cases() -> list[Case]:
    states = _states("random") + _states("greedy")
    greedy = HASE_UND_IGEL.players["greedy"](0)
    codec = HASE_UND_IGEL.codecs["2018"]
    choices = [(state, state.legal_moves()[-1]) for state in states]
    inner = [
        (state.game.track_of(state.board), state.runner(), state.opponent.position)
        for state in states
    ]
    elements = [_element(codec.encode_state(state, ("a", "b"))) for state in states[::10]]
    return [
        Case("legal_moves()", _each(states, HareState.legal_moves), "state", "≤ 40 µs"),
        Case("steps(), the inner form", _each(inner, lambda row: steps(*row)), "state"),
        Case("play()", _each(choices, lambda row: row[0].play(row[1])), "move"),
        Case("random game", lambda: _play_matches(25), "game", "≥ 300/s"),
        Case(
            "greedy chooses",
            _each(states[::5], lambda state: greedy.choose(state, FreeClock())),
            "move",
        ),
        Case(
            "encode_state()",
            _each(states, lambda state: codec.encode_state(state, ("a", "b"))),
            "state",
        ),
        Case("decode_state()", _each(elements, codec.decode_state), "state"),
    ]


def _states(name: str) -> list[HareState]:
    """Return positions of ten matches between two players of that name.

    Some have few moves and some have many.
    """
    found: list[Any] = []
    for seed in range(10):
        seats = [PlayerSeat(HASE_UND_IGEL.players[name](own)) for own in (seed, seed + 100)]
        wording = wording_for(HASE_UND_IGEL, (name, name))
        found += play_match(HASE_UND_IGEL.start(seed), seats, wording).states[:-1]
    return found


def _each(rows: list[Any], work: Callable[[Any], object]) -> Callable[[], int]:
    def run() -> int:
        for row in rows:
            work(row)
        return len(rows)

    return run


def _play_matches(number: int) -> int:
    dice = random.Random(0)
    for seed in range(number):
        state = HASE_UND_IGEL.start(seed)
        while not state.is_over:
            state = state.play(dice.choice(state.legal_moves()))
    return number


def _element(text: str) -> Element:
    def convert(node: ElementTree.Element) -> Element:
        return Element(
            node.tag, dict(node.attrib), [convert(child) for child in node], node.text or ""
        )

    return convert(ElementTree.fromstring(text))
