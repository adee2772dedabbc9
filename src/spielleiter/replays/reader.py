"""Read recorded games from official replays of every season, our own, and raw streams of observers
and players.

Files hold what a server sent. What was unusual about it is kept as notes; whether the moves obey
the rules is the question of ``verification``. Bytes are gone through more than once instead of
being kept as elements, which need fifty times the room.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from spielleiter.games.recognition import recognise, variants
from spielleiter.replays.files import MOST_BYTES, TooLong, read_file, unpack
from spielleiter.replays.record import RecordedPosition
from spielleiter.replays.steps import count_misfits
from spielleiter.rules import AnyGame, AnyState, Outcome
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError, ReplayError
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.messages import (
    Memento,
    Response,
    ResultMessage,
    RoomError,
    UnknownServerMessage,
)
from spielleiter.wire.replay import read_packets
from spielleiter.wire.responses import decode_response

_LIMITS = StreamLimits(
    message_bytes=1024 * 1024,  # a large state has 20 KiB; hints may be long
    token_bytes=64 * 1024,
    gap_bytes=16 * 1024 * 1024,
    depth=64,
    attributes=64,
    names=4096,
    pending_messages=100_000,  # what 64 KiB of empty messages can make
)
MOST_POSITIONS = 10_000
"""Of one game, each once. The longest game there is has 101."""
MOST_ROOMS = 500
"""Of one recording, which is gone through again for each of them."""
MOST_NOTES = 20
"""Kinds of unusual things that are told one by one; the rest is counted."""


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """One game of a recording, each position once.

    ``damage`` says where and why the recording cannot be read to its end, None if it can. ``notes``
    are for people: what was unusual, damage included.
    """

    source: str
    room_id: str
    codec: AnyCodec
    names: tuple[str, ...]
    positions: tuple[RecordedPosition, ...]
    outcome: Outcome | None = None
    complaint: str | None = None
    rooms: tuple[str, ...] = ()
    """All rooms of the recording, this one included."""
    variant_note: str | None = None
    """Which variant of the game it was, and why, if not the default."""
    damage: str | None = None
    notes: tuple[str, ...] = ()
    refused: Any = None
    """The move that ``complaint`` is about, None where it is not recorded or cannot be read."""

    @property
    def game(self) -> AnyGame:
        return self.codec.game

    @property
    def turns(self) -> tuple[int, ...]:
        """The number of the turn of each position."""
        return tuple(position.state.turn for position in self.positions)


def read_replay(
    path: str | PathLike[str], room: str | None = None, *, most: int = MOST_BYTES
) -> RecordedMatch:
    """Read the game in a file, plain or gzip.

    Of several rooms it is the first, or the one named.

    Raises ReplayError.
    """
    return parse_replay(read_file(path, most), str(path), room, most=most)


def parse_replay(
    data: bytes, source: str, room: str | None = None, *, most: int = MOST_BYTES
) -> RecordedMatch:
    """Read the game in these bytes, plain or gzip.

    Messages call them ``source``, and they may unpack to ``most`` bytes. Raises ReplayError if
    there is none.
    """
    recording = _Recording(data, most)
    try:
        survey = _survey(recording, room)
        codec = recognise(survey.samples)
        reading = _read(recording, survey, codec)
        variant_note = None
        misfits = count_misfits(reading.states, reading.outcome)
        for other in list(variants(codec))[1:] if misfits else ():  # W84
            again = _read(recording, survey, other)
            fewer = count_misfits(again.states, again.outcome)
            if fewer < misfits:
                reading, misfits = again, fewer
                variant_note = (
                    f"played by the rules of {other.game.title}: those of "
                    f"{codec.game.title} do not fit"
                )
    except ReplayError as error:
        raise ReplayError(f"{source}: {error}") from error
    return reading.finished(source, survey, variant_note)


def load_position(
    path: str | PathLike[str], turn: int | None = None, *, most: int = MOST_BYTES
) -> AnyState:
    """Return the first position of a recorded game whose turn is at least ``turn``.

    Raises ReplayError if none is.
    """
    recorded = read_replay(path, most=most)
    for position in recorded.positions:
        if turn is None or position.state.turn >= turn:
            return position.state
    turns = recorded.turns
    raise ReplayError(
        f"{path}: no position has turn {turn} or later; the turns there are {min(turns)} to "
        f"{max(turns)}"
    )


@dataclass(slots=True)
class _Survey:
    """What a first look at a recording tells."""

    room_id: str
    rooms: tuple[str, ...]
    samples: tuple[Element, ...]
    damage: str | None


@dataclass(frozen=True, slots=True)
class _Recording:
    """The bytes as they lie in the file. They are unpacked anew each time they are gone through."""

    data: bytes
    most: int

    def messages(self) -> Iterator[tuple[int, Response]]:
        """Yield the messages of rooms with the number of their packet."""
        for number, packet in enumerate(read_packets(unpack(self.data, self.most), _LIMITS), 1):
            yield number, decode_response(packet)


def _survey(recording: _Recording, room: str | None) -> _Survey:
    counts: Counter[str] = Counter()
    samples: list[Element] = []
    damage = None
    try:
        for _, message in recording.messages():
            if isinstance(message, Memento):
                room = message.room_id if room is None else room
                counts[message.room_id] += 1
                if len(counts) > MOST_ROOMS:
                    raise TooLong(f"it has more than {MOST_ROOMS} games in it, too many to be read")
                if message.room_id == room:
                    # The first and the latest are kept. Before the first move positions of two
                    # seasons can look alike, and the last one has a move in it that tells.
                    samples[1:] = [message.state]
    except TooLong:
        # What is cut off or broken is read up to there. What is too long is refused whole, since
        # its beginning would look like a match that somebody had left.
        raise
    except ReplayError as error:
        damage = str(error)
    if not counts:
        raise ReplayError(
            f"no position in it{f': {damage}' if damage else ', so it is not a replay'}"
        )
    if not samples or room is None:
        raise ReplayError(f"no room {room!r} in it; there are {', '.join(counts)}")
    return _Survey(room, tuple(counts), tuple(samples), damage)


@dataclass(slots=True)
class _Reading:
    """A recorded game as it is being read with one codec."""

    codec: AnyCodec
    names: tuple[str, ...]
    positions: list[RecordedPosition] = field(default_factory=list)
    repeated: int = 0
    outcome: Outcome | None = None
    complaint: str | None = None
    refused: Any = None
    damage: str | None = None
    unknown: Counter[str] = field(default_factory=Counter)

    @property
    def states(self) -> list[AnyState]:
        return [position.state for position in self.positions]

    def take(self, message: Response) -> None:
        match message:
            case Memento():
                self._take_state(message.state, message.seconds)
            case ResultMessage():
                self.outcome = self.codec.decode_outcome(message.data)
                names = self.codec.decode_names(message.data)
                if any(names):
                    self.names = names
            case RoomError():
                self.complaint = message.message
                self._take_refused(message.original)
            case UnknownServerMessage():
                self._note(message.reason)

    def _take_refused(self, original: Element | None) -> None:
        # It is told beside the complaint and may be anything that a player sent.
        if original is not None and self.positions:
            with contextlib.suppress(CodecError):
                state = self.positions[-1].state
                self.refused = self.codec.decode_move(original, state).move

    def _note(self, what: str) -> None:
        """Count something unusual, under its own name as long as there are not too many."""
        known = what in self.unknown or len(self.unknown) < MOST_NOTES
        self.unknown[what if known else "other unknown things"] += 1

    def _take_state(self, element: Element, seconds: float | None) -> None:
        received = self.codec.decode_state(element)
        for name in received.discarded:
            self._note(f"unknown <{name}>")
        if any(received.names):  # seasons that name them only in the result have empty ones here
            self.names = received.names
        for name, count in (("turn", received.state.turn), ("round", received.state.round)):
            if element.get(name) not in (None, str(count)):
                self._note(f"a {name} that is not as the rules count it (W80)")
        position = RecordedPosition(received.state, received.hints, seconds)
        if self.positions and self.positions[-1].state == position.state:
            self.repeated += 1
            if position.hints:
                self.positions[-1] = position
        elif len(self.positions) == MOST_POSITIONS:
            raise TooLong(
                f"it has a game of more than {MOST_POSITIONS} positions, too many to be read"
            )
        else:
            self.positions.append(position)

    def finished(self, source: str, survey: _Survey, variant_note: str | None) -> RecordedMatch:
        notes = []
        if len(survey.rooms) > 1:
            others = ", ".join(name for name in survey.rooms if name != survey.room_id)
            notes.append(
                f"there are {len(survey.rooms)} games in it; this is room {survey.room_id}, "
                f"others: {others}"
            )
        if self.positions[0].state.turn > 0:
            notes.append(f"it begins with turn {self.positions[0].state.turn}")
        if self.repeated:
            notes.append(f"{self.repeated} repeated position{'s' * (self.repeated > 1)} left out")
        notes += [f"{what} ignored ({count} x)" for what, count in self.unknown.items()]
        if self.outcome is None:
            notes.append("there is no result")
        if self.damage is not None:
            notes.append(self.damage)
        return RecordedMatch(
            source,
            survey.room_id,
            self.codec,
            self.names,
            tuple(self.positions),
            self.outcome,
            self.complaint,
            survey.rooms,
            variant_note,
            self.damage,
            tuple(notes),
            self.refused,
        )


def _read(recording: _Recording, survey: _Survey, codec: AnyCodec) -> _Reading:
    """Read everything of the room, up to where it cannot be read.

    Raises ReplayError if that is before any position.
    """
    reading = _Reading(codec, ("",) * codec.game.seats, damage=survey.damage)
    try:
        for number, message in recording.messages():
            if getattr(message, "room_id", survey.room_id) != survey.room_id:
                continue
            try:
                reading.take(message)
            except CodecError as error:
                reading.damage = (
                    f"packet {number} cannot be read, nor is anything after it: {error}"
                )
                break
    except TooLong:
        raise
    except ReplayError:
        pass  # the survey met it, too, and has it in its damage
    if not reading.positions:
        raise ReplayError(reading.damage or "no position in it")
    return reading
