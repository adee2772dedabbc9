"""Write the ``message`` of an errorpacket as the official servers of 21.4.0 and 27.0.4 do.

Tools that administrate those servers match on these texts, so they are kept with the names of
exceptions in them. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.wire.messages import (
    Cancel,
    FreeReservation,
    Observe,
    Pause,
    Prepare,
    Request,
    ScoreForPlayer,
    Step,
    TestMode,
    Timeout,
)

_ROOM = "sc.api.plugins.exceptions.GameRoomException: "


def unknown_room(room_id: str) -> str:
    return f"{_ROOM}Couldn't find a room with id {room_id}"


def full_room(room_id: str) -> str:
    return f"{_ROOM}Room {room_id} is already full!"


def not_a_member(room_id: str) -> str:
    return f"{_ROOM}Client is not a member of game {room_id}"


def unknown_reservation() -> str:
    return (
        "sc.server.gaming.UnknownReservationException: Couldn't find a reservation for the "
        "provided token."
    )


def unknown_game_type(game_type: str, available: Iterable[str]) -> str:
    known = ", ".join(available)
    return (
        f"sc.server.plugins.UnknownGameTypeException: Unknown GameType UUID: {game_type} "
        f"(available: {known})"
    )


def failed_authentication() -> str:
    return (
        "sc.server.network.AuthenticationFailedException: Failed to authenticate as administrator"
    )


def unauthenticated(request: Request) -> str:
    return (
        f"sc.server.network.UnauthenticatedException: Request {_described(request)} "
        "requires authentication"
    )


def _described(request: Request) -> str:
    """Return a request as the official server prints it."""
    match request:
        case Prepare():
            slots = ", ".join(
                f"SlotDescriptor(displayName={slot.display_name}, "
                f"canTimeout={_flag(slot.can_timeout)},"
                f" reserved={_flag(slot.reserved)})"
                for slot in request.slots
            )
            return (
                f"PrepareGameRequest(gameType={request.game_type}, slotDescriptors=[{slots}],"
                f" pause={_flag(request.paused)})"
            )
        case Observe(room_id):
            return f"ObservationRequest(roomId={room_id})"
        case Pause(room_id, pause):
            return f"PauseGameRequest(roomId={room_id}, pause={_flag(pause)})"
        case Step(room_id, forced):
            return f"StepRequest(roomId={room_id}, forced={_flag(forced)})"
        case Cancel(room_id):
            return f"CancelRequest(roomId={room_id})"
        case Timeout(room_id, slot, activate):
            return (
                f"ControlTimeoutRequest(roomId={room_id}, activate={_flag(activate)}, slot={slot})"
            )
        case TestMode(on):
            return f"TestModeRequest(testMode={_flag(on)})"
        case ScoreForPlayer(display_name):
            return f"PlayerScoreRequest(displayName={display_name})"
        case FreeReservation(code):
            return f"FreeReservationRequest(reservation={code})"
        case _:
            return type(request).__name__


def _flag(value: bool) -> str:
    return "true" if value else "false"
