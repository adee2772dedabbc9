"""A player of Vier gewinnt that knows nothing of ours, and one way of misbehaving for each name it
is started with.

python tiny_bot.py MODE -h HOST -p PORT -r CODE
"""

import argparse
import os
import re
import signal
import socket
import sys

MODE = sys.argv[1]
PACKET = re.compile(r"\s*(?:<protocol>)?\s*(<joined[^>]*>|<left[^>]*>|<room.*?</room>)", re.DOTALL)


class Gone(Exception):
    """The server has closed the connection."""


def wait_for_ever() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        signal.pause() if hasattr(signal, "pause") else input()


def read_options() -> argparse.Namespace:
    if MODE == "fixed order" and sys.argv[2] != "--host":
        sys.exit("usage: tiny_bot.py --host HOST --port PORT --reservation CODE")
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-h", "--host")
    parser.add_argument("-p", "--port", type=int)
    parser.add_argument("-r", "--reservation")
    return parser.parse_args(sys.argv[2:])


class Talk:
    """One packet after the other, cut with patterns as many a simple client does it."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.text = ""

    def next(self) -> str:
        while not (
            packet := re.match(
                r"\s*(?:<protocol>)?\s*(<joined[^>]*>|<left[^>]*>|<room.*?</room>)",
                self.text,
                re.DOTALL,
            )
        ):
            data = self.sock.recv(65536)
            if not data:
                raise Gone
            self.text += data.decode()
        self.text = self.text[packet.end() :]
        return packet[1]

    def say(self, text: str) -> None:
        self.sock.sendall(text.encode())

    def move(self, column: object) -> None:
        inside = f'<data class="example.Drop"><column>{column}</column></data>'
        packet = (
            "<room></data>"
            if MODE == "broken xml"
            else f'<room roomId="{self.room}">{inside}</room>'
        )
        self.say(packet * 2 if MODE == "twice" else packet)

    room = ""


def play(talk: Talk, code: str) -> None:
    talk.say("<protocol>")
    if MODE == "mute":
        wait_for_ever()
    talk.say(
        '<join gameType="example"/>'
        if MODE == "any seat"
        else f'<joinPrepared reservationCode="{code}"/>'
    )
    columns: list[str] = []
    moves = 0
    while True:
        packet = talk.next()
        if packet.startswith("<joined"):
            pattern = r'<joined roomId="(\w+)"/>$' if MODE == "brittle" else r'roomId="(\w+)"'
            found = re.search(pattern, packet)
            if found is None:
                sys.exit(f"cannot read {packet}")
            talk.room = found[1]
        elif packet.startswith("<left"):
            return
        elif 'class="memento"' in packet:
            if (
                MODE == "starts at 0"
                and not columns
                and 'turn="0"' not in packet
                and 'turn="1"' not in packet
            ):
                sys.exit("this is no start")
            board = packet[packet.index("<board") :]
            columns = [text or "" for text in re.findall(r"<column(?:/>|>(\w*)</column>)", board)]
        elif 'class="moveRequest"' in packet:
            moves += 1
            answer(talk, columns, moves)


def answer(talk: Talk, columns: list[str], moves: int) -> None:
    if MODE == "silent":
        wait_for_ever()
    if MODE == "quits" and moves == 2:
        sys.exit("I do not like this")
    if MODE == "chatty":
        print("." * 5000)
    free = [number for number, column in enumerate(columns) if len(column) < 6]
    talk.move({"illegal": 99, "no number": "left"}.get(MODE, free[0]))


def main() -> None:
    if MODE == "crash":
        sys.exit("Traceback: this bot has a mistake in line 1")
    if MODE == "never connects":
        wait_for_ever()
    options = read_options()
    with socket.create_connection((options.host, options.port)) as sock:
        try:
            play(Talk(sock), options.reservation)
        except (Gone, ConnectionError):
            if MODE == "orphan":
                wait_for_ever()
            sys.exit(5)
        if MODE == "stays":
            wait_for_ever()
        sock.sendall(b"<close/></protocol>")
    os._exit(7 if MODE == "bad exit" else 0)


main()
