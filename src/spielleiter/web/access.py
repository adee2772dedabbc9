"""Who may do what, and what the browser is told about safety.

Reading is free, and doing needs the key. Seats of people have tokens of their own, which are
kept with the seats. Nothing here knows matches.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from spielleiter.rules import Text
from spielleiter.web.answers import Mistake, answer_mistake
from spielleiter.web.porter import Throttle

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""No inline script or style, nothing from elsewhere, in nobody's frame."""

SAFETY_HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

NO_KEY = Text(
    "Dafür braucht es den Schlüssel. Öffne die Adresse, die der Server beim Start zeigt.",
    "This needs the key. Open the address that the server prints when it starts.",
)
FOREIGN = Text(
    "Diese Anfrage kommt von einer anderen Seite und wird nicht angenommen.",
    "This request comes from another page and is refused.",
)
UNKNOWN_HOST = Text(
    "Unter diesem Namen ist der Server nicht bekannt. Nimm seine IP-Adresse, oder nenne den Namen "
    "mit --web-name.",
    "The server is not known under this name. Use its IP address, or tell it the name with "
    "--web-name.",
)
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def new_key() -> str:
    """Return a key or token that nobody can guess."""
    return secrets.token_urlsafe(24)


def same(given: str, right: str) -> bool:
    """Return whether two secrets are the same, in the same time for all that differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())


@dataclass(slots=True)
class Access:
    """The key of a page, and the names under which the page may be asked for."""

    key: str = field(default_factory=new_key, repr=False)
    names: frozenset[str] = frozenset()

    @classmethod
    def for_host(cls, host: str | None, names: Iterable[str] = ()) -> Access:
        """Return the access of a page that listens on ``host``, None for every address."""
        known = {name.lower().rstrip(".") for name in names}
        if host is not None:
            known.add(host.lower())
        own = socket.gethostname().lower()
        known |= {own, f"{own.partition('.')[0]}.local", own.partition(".")[0]}
        return cls(names=frozenset(known - {""}))

    def may_do(self, connection: HTTPConnection) -> bool:
        """Return whether this request carries the key."""
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.is_key(given.strip())

    def is_key(self, given: object) -> bool:
        """Return whether this is the key."""
        return isinstance(given, str) and same(given, self.key)

    def require_key(self, connection: HTTPConnection) -> None:
        """Raise a Mistake unless the request carries the key."""
        if not self.may_do(connection):
            raise Mistake(403, NO_KEY)

    def knows_host(self, header: str) -> bool:
        """Return whether somebody who means us would write this in the Host header.

        A page of somebody else that has its own name point to this machine is turned away, because
        browsers would let it read everything.
        """
        name = host_name(header)
        if name is None:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name == "localhost" or name.endswith(".localhost") or name in self.names
        return True


def host_name(header: str) -> str | None:
    """Return the name in a Host header without its port, or None if it cannot be one."""
    if header.startswith("["):
        name, closed, _ = header[1:].partition("]")
        return name.lower() if closed else None
    name, _, port = header.partition(":")
    if not name or (port and not port.isdigit()):
        return None
    return name.lower().rstrip(".")


def is_foreign(headers: Headers) -> bool:
    """Return whether a page from elsewhere makes this request."""
    origin = headers.get("origin")
    if origin is not None:
        return origin.partition("://")[2].lower() != headers.get("host", "").lower()
    return headers.get("sec-fetch-site", "none") in ("cross-site", "same-site")


class PageGuard:
    """Stands before the application, turns strangers away and adds the headers of safety."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access
        self._throttle = Throttle()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        rest = self._throttle.rest(client[0] if client else "")
        if rest:
            await asyncio.sleep(rest)
        refusal = self._refuse(scope)
        if refusal is None:
            await self._app(scope, receive, self._adding(send))
        elif scope["type"] == "http":
            await answer_mistake(refusal)(scope, receive, self._adding(send))
        else:
            await WebSocket(scope, receive, send).send_denial_response(_denial(refusal))

    def _refuse(self, scope: Scope) -> Mistake | None:
        headers = Headers(scope=scope)
        if not self._access.knows_host(headers.get("host", "")):
            return Mistake(421, UNKNOWN_HOST)
        reads = scope["type"] == "http" and scope["method"] in _SAFE_METHODS
        if not reads and is_foreign(headers):
            return Mistake(403, FOREIGN)
        return None

    @staticmethod
    def _adding(send: Send) -> Send:
        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(pair for pair in _ENCODED if pair[0] not in given),
                ]
            await send(message)

        return add


_ENCODED = [(name.encode(), value.encode()) for name, value in SAFETY_HEADERS.items()]


def _denial(mistake: Mistake) -> Response:
    return answer_mistake(mistake)
