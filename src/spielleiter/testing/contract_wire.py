"""Check that what a game's codec writes is well-formed and comes back the same.

Part of ``contract``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from spielleiter.rules import AnyState, Cause, RuleViolation, Text
from spielleiter.testing.demand import place, require, require_text, sample
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.elements import Element

HINTS = ("first", "quoted \"&<>' and ümläut", "two\nlines")
NAMES = ("Häschen & Söhne", "<b>'\"")


def check_codec(
    codec: AnyCodec,
    states: Sequence[AnyState],
    seed: int = 0,
    moves_per_state: int | None = None,
) -> None:
    """Check that states, moves with hints and outcomes survive being encoded and decoded."""
    dice = random.Random(seed)
    hints = HINTS if codec.hints_allowed else ()
    for state in states:
        where = f"{place(state)}, codec {codec.revision}"
        element = _read(codec.encode_state(state, NAMES, hints), "state", where)
        received = codec.decode_state(element)
        require(received.state == state, f"{where}: the state comes back as another one")
        require(
            received.names in (NAMES, ("", "")), f"{where}: the names come back as {received.names}"
        )
        require(received.hints in (hints, ()), f"{where}: the hints come back as {received.hints}")
        require(
            not received.discarded, f"{where}: the codec does not know its own {received.discarded}"
        )
        for move in sample(state.legal_moves(), dice, moves_per_state):
            _check_move_on_wire(codec, state, move, hints, where)
        _check_outcome_on_wire(codec, state, where)
    _check_complaints(codec, states)


def _check_move_on_wire(
    codec: AnyCodec, state: AnyState, move: Any, hints: tuple[str, ...], where: str
) -> None:
    received = codec.decode_move(_read(codec.encode_move(move, hints), "data", where), state)
    require(received.move == move, f"{where}: {move} comes back as {received.move}")
    require(received.hints == hints, f"{where}: the hints of {move} come back as {received.hints}")
    require(
        not received.discarded, f"{where}: the codec does not know its own {received.discarded}"
    )
    # Elsewhere a move is only quoted. There it has to be well-formed, and is never decoded.
    for tag in ("lastMove", "originalMessage"):
        _read(codec.encode_move(move, hints, tag), tag, where)


def _check_outcome_on_wire(codec: AnyCodec, state: AnyState, where: str) -> None:
    standing = state.outcome()
    for outcome in (
        standing,
        standing.forfeit(0, Cause.RULE_VIOLATION, Text("Regel verletzt", "rule broken")),
    ):
        text = codec.encode_outcome(outcome, state, NAMES)
        received = codec.decode_outcome(_read(text, "data", where))
        require(
            received.winner == outcome.winner,
            f"{where}: winner {outcome.winner} becomes {received.winner}",
        )
        for sent, back in zip(outcome.seats, received.seats, strict=True):
            # Some seasons take the points away from whoever broke the match off. Otherwise nobody
            # loses them.
            taken = sent.cause is not Cause.REGULAR and back.parts == (0,) * len(sent.parts)
            require(
                back.parts == sent.parts or taken,
                f"{where}: a score {sent.parts} becomes {back.parts}",
            )
        width = 1 + len(outcome.seats[0].parts)
        require(
            len(codec.fragments) == width,
            f"{where}: {len(codec.fragments)} fragments name {width} parts",
        )
        points, read = ([line.points for line in result.seats] for result in (outcome, received))
        require(read == points, f"{where}: points {points} become {read}")
        require(
            received.is_regular == outcome.is_regular,
            f"{where}: a {outcome.code} result changes its regularity",
        )


def _check_complaints(codec: AnyCodec, states: Sequence[AnyState]) -> None:
    """Check that a broken rule can be told to both sides, with and without the move."""
    end = states[-1]
    move = end.last_move
    require(codec.describe_move(move), f"codec {codec.revision}: describe_move({move}) is empty")
    try:
        end.play(move)
    except RuleViolation as violation:
        for given in (move, None):
            require_text(
                codec.violation_reason(violation, given, "A"),
                f"codec {codec.revision}: violation_reason",
            )
            for to_offender in (True, False):
                said = codec.complaint(violation, given, "A", to_offender=to_offender)
                require(
                    said, f"codec {codec.revision}: the complaint about {violation.rule} is empty"
                )


def _read(text: str, tag: str, where: str) -> Element:
    """Parse what the codec wrote, and check its tag."""
    # This is the standard library's parser on purpose. Writer and parser of ours could share a
    # mistake, such as an escape that neither knows, and would agree about text that is not XML.
    try:
        node = ElementTree.fromstring(text)  # noqa: S314  written a moment ago by the codec under test
    except ElementTree.ParseError as error:
        raise AssertionError(f"{where}: not well-formed ({error}): {text[:200]}") from error
    require(node.tag == tag, f"{where}: the element is <{node.tag}> and not <{tag}>")
    require(
        not text.endswith("\n") and text.startswith("<"), f"{where}: there is space around <{tag}>"
    )
    return _element(node)


def _element(node: ElementTree.Element) -> Element:
    return Element(
        node.tag, dict(node.attrib), [_element(child) for child in node], node.text or ""
    )
