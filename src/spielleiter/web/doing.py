"""Answer requests that do something: start a match, end it, pause it, take a move back.

They need the key, or the token of a seat. What they do is in ``desk``.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from spielleiter.arena.bots import BotSpec
from spielleiter.games import get_game
from spielleiter.rules import AnyGame, Text, UnknownGame, one_line
from spielleiter.server.errors import Refusal
from spielleiter.server.start_positions import fit_position
from spielleiter.web.access import NO_KEY
from spielleiter.web.answers import NO_MATCH, Mistake, answer_json
from spielleiter.web.desk import MatchDesk
from spielleiter.web.seat_socket import serve_seat
from spielleiter.web.site import Site
from spielleiter.web.started import Order, Past, StartedMatch, guest, past_of, person

LONGEST_BODY = 16 * 1024
SECONDS = 10.0
LARGEST_SEED = 2**31 - 1
NO_SERVER = Text(
    "Diese Seite zeigt nur, was ein anderer Server spielt.",
    "This page only shows what another server plays.",
)
NOT_JSON = Text("Die Anfrage lässt sich nicht lesen.", "The request cannot be read.")


def wrong(de: str, en: str) -> Mistake:
    """Return the mistake of a request in which something is not as it should be."""
    return Mistake(422, Text(de, en))


def routes(site: Site) -> list[BaseRoute]:
    """Return the addresses at which something is done."""

    async def start(request: Request) -> Response:
        site.access.require_key(request)
        order = await _read_order(site, _desk(site), await _read_json(request))
        return answer_json(_tell_start(await _desk(site).start(order)), status=201)

    async def undo(request: Request) -> Response:
        desk = _desk(site)
        match = desk.matches.get(request.path_params["id"])
        if match is None:
            raise Mistake(404, NO_MATCH)
        _require_seat(site, request, match)
        return answer_json(_tell_start(await desk.undo(match)), status=201)

    async def seat(socket: WebSocket) -> None:
        desk = site.desk
        await serve_seat(socket, desk.find_seat if desk is not None else lambda _: None)

    return [
        Route("/api/matches", start, methods=["POST"]),
        Route("/api/matches/{id}/undo", undo, methods=["POST"]),
        _deed(site, "cancel", lambda desk, match_id: desk.cancel(match_id)),
        _deed(site, "pause", lambda desk, match_id: desk.pause(match_id, is_paused=True)),
        _deed(site, "continue", lambda desk, match_id: desk.pause(match_id, is_paused=False)),
        WebSocketRoute("/api/seats/{token}", seat),
    ]


def _deed(site: Site, name: str, do: Callable[[MatchDesk, str], None]) -> Route:
    async def answer(request: Request) -> Response:
        site.access.require_key(request)
        desk = _desk(site)
        match_id = request.path_params["id"]
        if site.gallery.get(match_id) is None and match_id not in desk.server.lobby.rooms:
            raise Mistake(404, NO_MATCH)
        do(desk, match_id)
        return answer_json({})

    endpoint: Callable[[Request], Awaitable[Response]] = answer
    return Route(f"/api/matches/{{id}}/{name}", endpoint, methods=["POST"])


def _desk(site: Site) -> MatchDesk:
    if site.desk is None:
        raise Mistake(409, NO_SERVER)
    return site.desk


def _require_seat(site: Site, request: Request, match: StartedMatch) -> None:
    """Raise a Mistake unless the request carries the key or the token of a seat in the match."""
    _, _, given = request.headers.get("authorization", "").partition(" ")
    seat = _desk(site).find_seat(given.strip())
    is_theirs = seat is not None and seat.story is match.story
    if not is_theirs and not site.access.may_do(request):
        raise Mistake(403, NO_KEY)


async def _read_json(request: Request) -> Mapping[str, Any]:
    data = b""
    try:
        async with asyncio.timeout(SECONDS):
            async for piece in request.stream():
                data += piece
                if len(data) > LONGEST_BODY:
                    raise Mistake(413, NOT_JSON)
        value = json.loads(data)
    except (ClientDisconnect, TimeoutError, ValueError, RecursionError):
        raise Mistake(400, NOT_JSON) from None
    if not isinstance(value, dict):
        raise Mistake(400, NOT_JSON)
    return value


# What is to be started


async def _read_order(site: Site, desk: MatchDesk, wanted: Mapping[str, Any]) -> Order:
    game, past = await _read_start(site, wanted)
    players = wanted.get("players")
    if not isinstance(players, list) or len(players) != game.seats:
        raise wrong(f"Es braucht {game.seats} Spieler.", f"It needs {game.seats} players.")
    clock, seed = wanted.get("clock", True), wanted.get("seed")
    if not isinstance(clock, bool):
        raise wrong("clock ist ja oder nein.", "clock is true or false.")
    if seed is not None and (type(seed) is not int or not 0 <= seed <= LARGEST_SEED):
        raise wrong(
            f"Die Startzahl ist eine ganze Zahl von 0 bis {LARGEST_SEED}.",
            f"The seed is a whole number from 0 to {LARGEST_SEED}.",
        )
    specs = tuple(_read_player(desk, game, player) for player in players)
    return Order(game, specs, clock, seed, past)


async def _read_start(site: Site, wanted: Mapping[str, Any]) -> tuple[AnyGame, Past | None]:
    """Return the game, and what was played before. Raises Mistake."""
    begin, name = wanted.get("from"), wanted.get("game")
    if begin is None:
        if not isinstance(name, str):
            raise wrong("Es fehlt, welches Spiel.", "It does not say which game.")
        return _find_game(name), None
    if not isinstance(begin, dict) or not isinstance(begin.get("match"), str):
        raise wrong("from nennt match und index.", "from names match and index.")
    story, index = await site.find_story(begin["match"]), begin.get("index")
    if type(index) is not int or not 0 <= index < len(story.positions):
        raise Mistake(
            404, Text("Diese Stellung hat die Partie nicht.", "The match has no such position.")
        )
    past = past_of(story, index)
    game = _find_game(name) if isinstance(name, str) else story.game
    try:
        position = fit_position(game, past.positions[-1])
    except Refusal as error:
        if past.positions[-1].is_over:
            raise Mistake(
                409,
                Text("Dort ist die Partie schon zu Ende.", "The match is over at that point."),
            ) from None
        raise wrong(f"Das geht nicht: {error}", f"That does not work: {error}") from None
    if position is not past.positions[-1]:  # other rules hold, so what was before does not fit
        return game, Past((position,), ())
    return game, past


def _find_game(name: str) -> AnyGame:
    try:
        return get_game(name)
    except UnknownGame:
        shown = one_line(name, 60)
        raise wrong(
            f"Ein Spiel {shown} gibt es hier nicht.", f"There is no game {shown} here."
        ) from None


def _read_player(desk: MatchDesk, game: AnyGame, player: object) -> BotSpec:
    if not isinstance(player, dict):
        raise wrong("Ein Spieler ist unlesbar.", "A player cannot be read.")
    kind, name = player.get("kind"), player.get("name", "")
    if not isinstance(name, str):
        raise wrong("Ein Name ist ein Text.", "A name is a text.")
    match kind:
        case "me":
            return person(name)
        case "joins":
            return guest(name)
        case "bot":
            spec = desk.roster.find(game, name)
            if spec is not None:
                return spec
            shown = one_line(name, 60)
            raise wrong(
                f"Einen Bot {shown} gibt es für {game.titles.de} nicht.",
                f"There is no bot {shown} for {game.title}.",
            )
    raise wrong("Ein Spieler ist bot, me oder joins.", "A player is bot, me or joins.")


def _tell_start(match: StartedMatch) -> dict[str, Any]:
    return {
        "id": match.id,
        "seats": [None if seat is None else {"token": seat.token} for seat in match.people],
        "reservations": list(match.story.reservations),
    }
