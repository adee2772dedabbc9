"""Feed the protocol with rubbish.

Any bytes give messages or a ProtocolError, and the same ones however the bytes are cut.

    python -m fuzz.fuzz_protocol --count 1000000          our own mutations of recorded streams
    python -m fuzz.fuzz_protocol --atheris -runs=1000000  coverage-guided, if atheris is installed

A failure is printed with the command that repeats exactly that case.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import get_args, get_origin

from spielleiter.wire.elements import Element, encode_element
from spielleiter.wire.errors import BadMessage, ProtocolError, UnknownMessage
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.messages import Response
from spielleiter.wire.requests import Decoded, decode_request
from spielleiter.wire.responses import decode_response
from spielleiter.wire.stream import MessageStream, StreamEnd

RECORDINGS = Path(__file__).resolve().parent.parent / "tests" / "recordings"
RESPONSES = {get_origin(kind) or kind for kind in get_args(Response)}
TIGHT = StreamLimits(
    message_bytes=300,
    token_bytes=80,
    gap_bytes=120,
    depth=4,
    attributes=4,
    names=24,
    pending_messages=99,
)
LIMITS = (StreamLimits(), TIGHT)
TOKENS = [
    *(
        b"< > /> </ = & ; ] ' \" <!-- --> <![CDATA[ ]]> <?x?> &a; &lt; &#0; &#xD800; &#x1F642; "
        b"\x00 \xc3 \xa4".split(b" ")
    ),
    *(
        b"<protocol> </protocol> <a/> <b> </b> </room> </data> </prepare> <close/> \xef\xbb\xbf "
        b"\xff\xfe".split()
    ),
    *(
        b"<!DOCTYPE p [",
        b"<!ENTITY a 'b'>",
        b"<?xml version='1.0'?>",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x99\x82",
        b"\r",
    ),
    *(
        b"<room roomId='U'>",
        b"<data class='memento'>",
        b"<prepare gameType='g' pause='x'>",
        b"<slot reserved='false'/>",
    ),
    *(b" " * 90, b"x" * 90, b"<c d='1' d='2'>", b"<c e='1' f='2' g='3' h='4' i='5'>"),
]


class Broken(Exception):
    """Say that something that must always hold does not."""


def corpus(size: int = 1500) -> list[bytes]:
    """Return the beginning of everything anybody said in the recordings, once each."""
    found: dict[bytes, None] = {}
    for path in sorted(RECORDINGS.glob("*/*/*.jsonl.gz")):
        said: dict[str, str] = {"client": "", "server": ""}
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            row = json.loads(line)
            if len(said[row["from"]]) < size:
                said[row["from"]] += row["data"]
        found.update((text[:size].encode(), None) for text in said.values())
    return list(found)


def mutated(seeds: Sequence[bytes], dice: random.Random) -> bytes:
    """Return a recorded stream, or a part of one, with a few things wrong with it."""
    data = bytearray(dice.choice(seeds))
    if dice.random() < 0.5:
        del data[dice.randrange(20, 800) :]
    for _ in range(dice.choice((0, 1, 1, 2, 3, 6))):
        at = dice.randrange(len(data) + 1)
        kind = dice.randrange(7)
        if kind == 0 and at < len(data):
            data[at] = dice.randrange(256)
        elif kind == 1 and at < len(data):
            data[at] ^= 1 << dice.randrange(8)
        elif kind == 2:
            del data[at : at + dice.choice((1, 2, 10, 100))]
        elif kind == 3:
            data[at:at] = data[at : at + dice.choice((1, 10, 100))] * dice.choice((1, 2, 20))
        elif kind == 4:
            other = dice.choice(seeds)
            start = dice.randrange(len(other) + 1)
            data[at:] = other[start : start + 300]
        else:
            data[at:at] = dice.choice(TOKENS)
    return bytes(data)


def cut(data: bytes, dice: random.Random) -> list[bytes]:
    edges = sorted(dice.randrange(len(data) + 1) for _ in range(dice.choice((1, 2, 5, 12))))
    pieces = (data[start:end] for start, end in itertools.pairwise([0, *edges, len(data)]))
    return [piece for piece in pieces if piece]  # none would be the end of the stream


def events_of(pieces: Sequence[bytes], limits: StreamLimits) -> list[object]:
    """Return what a stream makes of these pieces, in a form that can be compared."""
    stream = MessageStream(limits)
    events: list[object] = []
    for piece in pieces:
        stream.receive_data(piece)
        events += stream.events_received()
    stream.receive_eof()
    events += stream.events_received()
    return [
        (type(event).__name__, str(event)) if isinstance(event, ProtocolError) else event
        for event in events
    ]


def check(data: bytes, dice: random.Random, *, singly: bool = False) -> str:
    """Check one case, and return a word for what became of the bytes. Raises Broken."""
    limits = dice.choice(LIMITS)
    whole = events_of([data], limits)
    pieces = [data[at : at + 1] for at in range(len(data))] if singly else cut(data, dice)
    if events_of(pieces, limits) != whole:
        raise Broken(f"cut into {len(pieces)} pieces the same bytes mean something else ({limits})")
    *messages, end = whole
    if not isinstance(end, StreamEnd) and end[0] not in ("MalformedXml", "LimitExceeded"):  # type: ignore[index]
        raise Broken(f"the last event is {end!r}")
    for element in messages:
        if not isinstance(element, Element):
            raise Broken(f"{element!r} is not the last event")
        check_message(element)
    return ("orderly" if end.orderly else "cut") if isinstance(end, StreamEnd) else end[0]  # type: ignore[index]


def check_message(element: Element) -> None:
    try:
        if not isinstance(decode_request(element), Decoded):
            raise Broken("a request that is none")
    except (UnknownMessage, BadMessage):
        pass
    if type(decode_response(element)) not in RESPONSES:
        raise Broken("a response that is none")
    again = events_of([b"<p>", encode_element(element).encode()], StreamLimits.for_client())
    if encode_element(again[0]) != encode_element(element):  # type: ignore[arg-type]
        raise Broken("written and read again it is something else")


def run(count: int, seed: int, first: int = 0, *, report: int = 0) -> Counter[str]:
    """Check ``count`` cases, each decided by ``seed`` and its number alone."""
    seeds = corpus()
    verdicts: Counter[str] = Counter()
    for number in range(first, first + count):
        dice = random.Random(f"{seed}/{number}")
        data = mutated(seeds, dice)
        try:
            verdicts[check(data, dice, singly=number % 32 == 0)] += 1
        except Exception:
            print(
                f"python -m fuzz.fuzz_protocol --seed {seed} --first {number} --count 1\n{data!r}",
                file=sys.stderr,
            )
            raise
        if report and (number + 1 - first) % report == 0:
            print(f"{number + 1 - first} inputs: {dict(verdicts)}", flush=True)
    return verdicts


def main(arguments: Sequence[str]) -> None:
    if "--atheris" in arguments:
        guided([argument for argument in arguments if argument != "--atheris"])
        return
    parser = argparse.ArgumentParser(
        prog="python -m fuzz.fuzz_protocol", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "--count", type=int, default=100_000, help="how many inputs (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="another seed, other inputs")
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first input, to repeat a failure"
    )
    options = parser.parse_args(arguments)
    verdicts = run(options.count, options.seed, options.first, report=100_000)
    print(f"{options.count} inputs, no failure: {dict(verdicts)}")


def guided(arguments: Sequence[str]) -> None:
    import atheris  # type: ignore[import-not-found]  # optional, Linux and macOS

    def one(data: bytes) -> None:
        check(data, random.Random(len(data)))

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *arguments], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
