"""Run a server that follows a script, for tests of bots and clients.

It says what it is told to and notes what it hears. It knows no rules. What a real server would
decide, the script has decided before.

    script = [expect("join"), send(joined("r")), expect("room"), close()]
    with ScriptedServer(script) as server:
        ... start a bot with -p server.port ...
        server.wait()
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from spielleiter.wire.dialects import MOVE_REQUEST_CLASSES
from spielleiter.wire.elements import Element
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.stream import MessageStream, StreamEnd

PATIENCE = 30.0
"""Seconds after which a silent peer fails a script. No test should come near it."""


@dataclass(frozen=True, slots=True)
class Send:
    """Say this."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Expect:
    """Wait for a message with this tag, for which ``holds`` is true if given."""

    tag: str
    holds: Callable[[Element], bool] | None = None


@dataclass(frozen=True, slots=True)
class ExpectEnd:
    """Wait until the peer has said goodbye or gone. What it says before is noted."""


@dataclass(frozen=True, slots=True)
class Close:
    """Close the connection.

    ``orderly`` says goodbye, otherwise it looks like a server that dies.
    """

    orderly: bool = True


ScriptStep = Send | Expect | ExpectEnd | Close


def send(text: str | bytes) -> Send:
    """Say this text."""
    return Send(text if isinstance(text, bytes) else text.encode())


def expect(tag: str, holds: Callable[[Element], bool] | None = None) -> Expect:
    """Wait for a message with this tag."""
    return Expect(tag, holds)


def expect_end() -> ExpectEnd:
    """Wait until the peer has said goodbye or gone."""
    return ExpectEnd()


def close(*, orderly: bool = True) -> Close:
    """Close the connection."""
    return Close(orderly)


def script_of(recorded: str, *, join: str = "join") -> list[ScriptStep]:
    """Make the script of a server that was recorded.

    ``recorded`` is all that a server once said to one player, and ``join`` the request that it
    answered. The script waits wherever a move was asked for. The moves that come may differ from
    those of the recording.
    """
    steps: list[ScriptStep] = [expect(join)]
    rest = recorded
    while rest:
        ends = [at for at in map(rest.find, _REQUESTS) if at >= 0]
        if not ends:
            steps.append(send(rest))
            break
        cut = rest.index("</room>", min(ends)) + len("</room>")
        steps += [send(rest[:cut]), expect("room")]
        rest = rest[cut:]
    return steps


_REQUESTS = tuple(f'class="{name}"' for name in MOVE_REQUEST_CLASSES)


class ScriptFailed(AssertionError):
    """What the peer did is not what the script expected."""


class ScriptedServer:
    """Listens on a free port of this machine and plays one script with the first who connects."""

    def __init__(self, script: Iterable[ScriptStep], *, patience: float = PATIENCE) -> None:
        self._script: Sequence[ScriptStep] = list(script)
        self._patience = patience
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(patience)
        self._failure: str | None = None
        self._peer: socket.socket | None = None
        self._leaving = False
        self._thread = threading.Thread(target=self._serve, name="scripted server", daemon=True)
        self.host: str = "127.0.0.1"
        self.port: int = self._listener.getsockname()[1]
        self.received: list[Element] = []
        """All messages that came, in order."""
        self.end: StreamEnd | None = None
        """How the peer ended, once it has. ``end.orderly`` says whether it said goodbye."""

    @property
    def address(self) -> list[str]:
        """The command line that leads a bot here."""
        return ["--host", self.host, "--port", str(self.port)]

    def wait(self) -> None:
        """Follow the script until it is done.

        Raises ScriptFailed if the peer did something else.
        """
        self._thread.join()  # no step waits longer than its patience
        if self._failure is not None:
            raise ScriptFailed(self._failure)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Break off whatever is still going on."""
        self._leaving = True
        with contextlib.suppress(OSError):
            # The thread may wait in accept or in recv. To close a socket in another thread does not
            # wake it on every system, so accept gets somebody to accept, and recv gets an end.
            if self._peer is None:
                socket.create_connection((self.host, self.port), timeout=1).close()
            else:
                self._peer.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        try:
            peer, _ = self._listener.accept()
        except OSError:
            self._failure = "nobody connected"
            return
        self._peer = peer
        with peer:
            if self._leaving:
                return
            peer.settimeout(self._patience)
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                self._play(peer)
            except ScriptFailed as failure:
                self._failure = str(failure)
            except TimeoutError:
                self._failure = (
                    f"nothing came for {self._patience:g} s; so far came {self._heard()}"
                )
            except OSError as error:
                self._failure = f"the connection broke: {error}"

    def _play(self, peer: socket.socket) -> None:
        reader = _MessageReader(peer, self)
        for number, step in enumerate(self._script, 1):
            match step:
                case Send(data):
                    peer.sendall(data)
                case Expect(tag, holds):
                    element = reader.next()
                    if element is None:
                        raise ScriptFailed(
                            f"step {number}: expected <{tag}>, but the peer went away"
                        )
                    if element.tag != tag or (holds is not None and not holds(element)):
                        raise ScriptFailed(
                            f"step {number}: expected <{tag}>, got {_shown(element)}"
                        )
                case ExpectEnd():
                    while reader.next() is not None:
                        pass
                case Close(orderly):
                    if orderly:
                        peer.sendall(b"\n</protocol>")
                    return

    def _heard(self) -> str:
        return ", ".join(_shown(element) for element in self.received[-5:]) or "nothing"


class _MessageReader:
    """Reads messages from a socket, one by one."""

    def __init__(self, peer: socket.socket, server: ScriptedServer) -> None:
        self._peer = peer
        self._server = server
        self._stream = MessageStream(StreamLimits.for_client())
        self._waiting: list[Element] = []

    def next(self) -> Element | None:
        while not self._waiting and self._server.end is None:
            try:
                data = self._peer.recv(1 << 16)
            except ConnectionError:
                data = b""
            self._stream.receive_data(data)
            for event in self._stream.events_received():
                if isinstance(event, Element):
                    self._waiting.append(event)
                    self._server.received.append(event)
                elif isinstance(event, StreamEnd):
                    self._server.end = event
                else:
                    raise ScriptFailed(f"the peer sent something unreadable: {event.reason}")
        return self._waiting.pop(0) if self._waiting else None


def _shown(element: Element) -> str:
    attributes = "".join(f' {name}="{value}"' for name, value in element.attributes.items())
    return f"<{element.tag}{attributes}>"
