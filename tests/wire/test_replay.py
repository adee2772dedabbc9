"""Official files and raw streams of recorded games are read, and written back as they were."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import recorded
from spielleiter.wire import writer
from spielleiter.wire.elements import Element, encode_element
from spielleiter.wire.errors import ReplayError
from spielleiter.wire.replay import read_packets

VERSIONS = ["18.2.6", "21.4.0", "27.0.4"]
FILES = [path for version in VERSIONS for path in recorded.replays(version)]


def kinds(packets: list[Element]) -> list[str | None]:
    return [packet.children[0].get("class") for packet in packets]


def test_there_are_replays_of_each_season() -> None:
    assert all(recorded.replays(version) for version in VERSIONS)


@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: f"{path.parent.parent.name}-{path.name[:40]}"
)
def test_official_replays_are_read_and_written_back(path: Path) -> None:
    data = gzip.decompress(path.read_bytes())
    packets = list(read_packets(data))
    assert kinds(packets)[0] == "memento"
    assert kinds(packets)[-1] == "result"
    assert writer.replay_text(encode_element(packet) for packet in packets) == data.decode().rstrip(
        "\n"
    )
    assert len(list(read_packets(data.decode()))) == len(packets), "as text too"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("connection", ["admin", "one"])
def test_raw_streams_give_their_rooms(version: str, connection: str) -> None:
    stream = recorded.text(version, "leave-mid-game", connection, "server")
    found = kinds(list(read_packets(stream)))
    assert "memento" in found
    assert found[-1] == "result"
    assert found.count("memento") == stream.count('class="memento"')


def test_a_cut_file_gives_what_is_there_and_says_where_it_is_cut() -> None:
    data = gzip.decompress(FILES[0].read_bytes())
    whole = list(read_packets(data))
    for share in (0.1, 0.5, 0.9):
        cut = data[: int(len(data) * share)]
        packets: list[Element] = []
        with pytest.raises(ReplayError, match=rf"cut off inside packet \d+, at byte {len(cut)}"):
            packets.extend(read_packets(cut))
        assert packets == whole[: len(packets)]
        assert len(packets) == cut.count(b"</room>")


def test_broken_and_empty_files_are_named() -> None:
    reader = read_packets(b"<protocol><room roomId='a'/><room></rom></protocol>")
    assert next(reader).get("roomId") == "a"
    with pytest.raises(ReplayError, match=r"broken after packet 1: .*mismatched tag"):
        next(reader)
    for empty in (b"", "  \n"):
        with pytest.raises(ReplayError, match="empty"):
            list(read_packets(empty))
    with pytest.raises(ReplayError, match="broken after packet 0"):
        list(read_packets("\ud800"))


def test_a_piece_without_bytes_is_not_the_end() -> None:
    pieces = [b"", b"<protocol><room roo", b"", b"mId='U'/><room roomId='V'/>", b"", b"</protocol>"]
    assert [packet.get("roomId") for packet in read_packets(pieces)] == ["U", "V"]
