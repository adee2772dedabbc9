"""Everything that is said about a file is said in German, too."""

from __future__ import annotations

import gzip

import pytest

import recorded
from spielleiter.replays import parse_replay
from spielleiter.web.replay_words import in_both
from spielleiter.wire.errors import ReplayError

REPLAY = next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name)
DAMAGED = "Es ist keine Stellung darin: Die Aufzeichnung ist nach Paket 0 beschädigt: mehr"
PLAIN = gzip.decompress(REPLAY.read_bytes())


@pytest.mark.parametrize(
    ("data", "german"),
    [
        (b"", "Es ist keine Stellung darin: Die Aufzeichnung ist leer"),
        (b"\xff\xd8\xff\xe0 no replay", "Es ist keine Stellung darin: Die Aufzeichnung ist nach"),
        (
            b"<html><body>hello</body></html>",
            "Es ist keine Stellung darin, also ist es kein Replay",
        ),
        (REPLAY.read_bytes()[:30], "Es ist keine Stellung darin: Die gzip-Datei ist abgeschnitten"),
        (
            gzip.compress(b"<protocol>" + b" " * 90_000_000),
            DAMAGED,
        ),
        (PLAIN.replace(b"BLUE", b"PINK"), "Die Stellungen gehören zu keinem Spiel"),
    ],
    ids=["empty", "picture", "other", "cut", "bomb", "strange"],
)
def test_why_a_file_is_refused(data: bytes, german: str) -> None:
    with pytest.raises(ReplayError) as caught:
        parse_replay(data, "file")
    reason = str(caught.value).removeprefix("file: ")

    assert in_both(reason).de.startswith(german)
    assert in_both(reason).en == reason


@pytest.mark.parametrize(
    ("data", "german"),
    [
        (REPLAY.read_bytes()[:-2000], {"Ein Ergebnis fehlt", "Die gzip-Datei ist abgeschnitten"}),
        (PLAIN[: len(PLAIN) // 2], {"Ein Ergebnis fehlt", "Die Aufzeichnung ist in Paket"}),
    ],
    ids=["packed", "plain"],
)
def test_what_is_unusual_about_a_file(data: bytes, german: set[str]) -> None:
    notes = [in_both(note).de for note in parse_replay(data, "file").notes]

    assert all(any(note.startswith(one) for note in notes) for one in german)
    assert not [note for note in notes if " is " in note]


def test_a_file_that_unpacks_to_too_much() -> None:
    reason = "it unpacks to more than 64 MiB, too much for a replay"
    assert (
        in_both(reason).de == "Ausgepackt sind es mehr als 64 MiB, das ist zu viel für ein Replay"
    )


def test_other_sentences_stay_as_they_are() -> None:
    assert in_both("something else") == ("something else", "something else")
