"""Read what servers say as messages, for clients.

The other way is ``writer``.

A client is tolerant: what it does not know or cannot read becomes an UnknownServerMessage, never an
error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from spielleiter.wire.dialects import CLOSE_TAGS, MOVE_REQUEST_CLASSES
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import BadMessage
from spielleiter.wire.messages import (
    ErrorPacket,
    Joined,
    JoinedGameRoom,
    Left,
    Memento,
    MoveRequest,
    Observed,
    PausedNotice,
    PlayerScore,
    PlayerScores,
    Prepared,
    Response,
    ResultMessage,
    RoomError,
    ScoreValue,
    ServerClose,
    Testing,
    UnknownServerMessage,
    Welcome,
)
from spielleiter.wire.values import flag, number, optional, required

_SECONDS = re.compile(r"\d{1,9}\.\d{3}", re.ASCII)


def decode_response(element: Element) -> Response:
    """Read a response. Never raises, see UnknownServerMessage."""
    read = _READERS.get(element.tag)
    if read is None:
        return UnknownServerMessage(element, f"unknown message <{element.tag}>")
    try:
        return read(element)
    except BadMessage as error:
        return UnknownServerMessage(element, error.reason)


def _room(element: Element) -> Response:
    room_id = required(element, "roomId")
    data = element.find("data")
    if data is None:
        state = element.find("state")
        if state is not None:  # the form of the welcome in the documents of 2021 (W88)
            return Memento(room_id, state)
        data = element.find("error")  # the form of the 2018 document (W87)
        if data is None:
            return UnknownServerMessage(element, "a room message without <data>")
        return _error(room_id, data)
    kind = optional(data, "class") or ""
    read = _ROOM_READERS.get(kind)
    if read is None:
        return UnknownServerMessage(element, f"unknown room message of class {kind!r}")
    return read(room_id, data)


def _memento(room_id: str, data: Element) -> Memento:
    state = data.find("state")
    if state is None:
        raise BadMessage("room/data/state", "is missing")
    return Memento(room_id, state, _seconds(optional(data, "seconds")))


def _seconds(text: str | None) -> float | None:
    """Read an attribute of ours.

    Whatever else stands there is somebody else's and means nothing.
    """
    return float(text) if text is not None and _SECONDS.fullmatch(text) else None


def _error(room_id: str, data: Element) -> RoomError:
    return RoomError(room_id, optional(data, "message") or "", _original(data))


def _original(element: Element) -> Element | None:
    original = element.find("originalMessage")
    if original is None:
        original = element.find("originalRequest")
    # In the document of 2018 the request itself is in it (W87).
    if original is not None and original.get("class") is None:
        return original.children[0] if original.children else original
    return original


def _paused(room_id: str, data: Element) -> PausedNotice:
    return PausedNotice(room_id, flag(data, "paused", False, "room/data"))


def _joined_game_room(element: Element) -> JoinedGameRoom:
    return JoinedGameRoom(
        required(element, "roomId"), flag(element, "existing", None), number(element, "playerCount")
    )


def _prepared(element: Element) -> Prepared:
    codes = tuple(child.text.strip() for child in element.all("reservation"))
    return Prepared(required(element, "roomId"), codes)


def _player_scores(element: Element) -> PlayerScores:
    return PlayerScores(tuple(_player_score(score) for score in element.all("score")))


def _player_score(element: Element) -> PlayerScore:
    return PlayerScore(
        required(element, "displayName"),
        number(element, "numberOfTests") or 0,
        tuple(_score_value(values) for values in element.all("values")),
    )


def _score_value(element: Element) -> ScoreValue:
    fragment = element.find("fragment") or Element("fragment")
    relevant = _text(fragment, "relevantForRanking").lower() == "true"
    return ScoreValue(
        optional(fragment, "name") or "",
        _text(fragment, "aggregation"),
        relevant,
        _text(element, "value"),
    )


def _text(element: Element, tag: str) -> str:
    child = element.find(tag)
    return "" if child is None else child.text.strip()


_ROOM_READERS: Mapping[str, Callable[[str, Element], Response]] = {
    "memento": _memento,
    "result": ResultMessage,
    "error": _error,
    "paused": _paused,
    "welcomeMessage": lambda room_id, data: Welcome(room_id, required(data, "color", "room/data")),
    **{name: (lambda room_id, _: MoveRequest(room_id)) for name in MOVE_REQUEST_CLASSES},
}

_READERS: Mapping[str, Callable[[Element], Response]] = {
    "room": _room,
    "joined": lambda element: Joined(required(element, "roomId")),
    "left": lambda element: Left(required(element, "roomId")),
    "observed": lambda element: Observed(required(element, "roomId")),
    "joinedGameRoom": _joined_game_room,
    "prepared": _prepared,
    "testing": lambda element: Testing(flag(element, "testMode", False)),
    "playerScore": _player_scores,
    "errorpacket": lambda element: ErrorPacket(
        optional(element, "message") or "", _original(element)
    ),
    **{tag: (lambda _: ServerClose()) for tag in CLOSE_TAGS},
}
