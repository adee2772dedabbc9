"""The server as a program of its own, and clients on real sockets that do as they are told."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spielleiter.games import get_game
from spielleiter.wire.elements import Element
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.stream import MessageStream

PATIENCE = 20.0
"""Seconds after which a test that waits gives up; nothing here should take a tenth of it."""


class Program:
    """A running ``spielleiter serve``."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self.process = process
        self.folder = folder
        assert process.stdout is not None
        self.first_line = process.stdout.readline()
        found = re.search(r"(\d+)$", self.first_line.strip())
        assert found is not None, (
            f"{self.first_line!r} {process.stderr.read() if process.stderr else ''}"
        )
        self.port = int(found[1])
        self.log: list[str] = []
        self.clients: list[Client] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.log.extend(self.process.stderr)

    def end(self) -> int:
        """Ask it to end, and wait for it."""
        self.process.terminate()
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def client(self, opening: str = "") -> Client:
        client = Client(self.port, opening)
        self.clients.append(client)
        return client


@contextlib.contextmanager
def running(folder: Path, *options: str, **environment: str) -> Iterator[Program]:
    command = [sys.executable, "-m", "spielleiter", "serve", "--no-web", "--port", "0", *options]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
    )
    program = None
    try:
        program = Program(process, folder)
        yield program
    finally:
        for client in program.clients if program is not None else ():
            client.close()
        if process.poll() is None:
            process.kill()
        process.wait(PATIENCE)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


class Client:
    """A connection that reads message by message and can play."""

    def __init__(self, port: int, opening: str = "") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._stream = MessageStream(StreamLimits.for_client())
        self._received = b""
        self._messages: list[Any] = []
        self._position: Element | None = None
        if opening:
            self.say(opening)

    def say(self, text: str) -> None:
        self.socket.sendall(text.encode())

    def next(self) -> Element | None:
        """The next message, None when the server has closed."""
        while not self._messages:
            data = self._receive()
            if not data:
                return None
            self._stream.receive_data(data)
            self._messages += [
                event for event in self._stream.events_received() if isinstance(event, Element)
            ]
        return self._messages.pop(0)

    def wait_for(self, name: str) -> Element:
        """Skip to the message of this tag, or to the room message of this class."""
        while (message := self.next()) is not None:
            if kind(message) == "memento":
                self._position = message
            if kind(message) == name:
                return message
        raise AssertionError(f"the server closed before it said {name}")

    def answer(self, request: Element, game_id: str) -> None:
        """Send the first legal move of the position shown last."""
        self.say(self.first_move(request, game_id))

    def first_move(self, request: Element, game_id: str) -> str:
        """Return the message with the first legal move of the position shown last."""
        codec = next(iter(get_game(game_id).codecs.values()))
        assert self._position is not None
        data = self._position.find("data")
        assert data is not None
        element = data.find("state")
        assert element is not None
        move = codec.decode_state(element).state.legal_moves()[0]
        return f'<room roomId="{request.get("roomId")}">{codec.encode_move(move)}</room>'

    def play(self, game_id: str) -> Element:
        """Answer requests with the first legal move, and return the result."""
        while (message := self.next()) is not None:
            name = kind(message)
            if name == "memento":
                self._position = message
            elif name.lower().endswith("moverequest"):
                self.answer(message, game_id)
            elif name == "result":
                return message
        raise AssertionError("the server closed before the result")

    def all_it_said(self) -> bytes:
        """Everything on this connection until the server closes, as bytes.

        What comes after a certain message cannot be asked for: it may have come in the same piece.
        """
        while self._receive():
            pass
        return self._received

    def _receive(self) -> bytes:
        data = self.socket.recv(65536)
        self._received += data
        return data

    def close(self) -> None:
        self.socket.close()


def kind(message: Element) -> str:
    data = message.find("data")
    return data.get("class") or "" if message.tag == "room" and data is not None else message.tag
