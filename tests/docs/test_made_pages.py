"""Pages for people who write in any language: what is made in them is up to date, and the product
reads it back.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import pages as documents
from seasons import DIALECTS

sys.path.insert(0, str(documents.ROOT))  # for ``tools``, which is not installed
from tools import pages, wire_examples
from tools.tables import TABLES
from tools.wire_examples import CLIENT, Said

from spielleiter.games import all_games, get_game
from spielleiter.rules import Game
from spielleiter.server.properties import read_entries
from spielleiter.server.settings import Settings
from spielleiter.server.sources import PROPERTIES, load_settings
from spielleiter.wire import messages, writer
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError
from spielleiter.wire.requests import decode_request, encode_request
from spielleiter.wire.responses import decode_response, encode_response
from spielleiter.wire.stream import MessageStream, StreamEnd

PAGES = pages.pages()
PROTOCOL = [page for page in PAGES if "protocol" in page.relative_to(documents.ROOT).as_posix()]


def name(path: Path) -> str:
    return path.relative_to(documents.ROOT).as_posix()


# Nothing made is out of date


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_is_made_in_a_page_is_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert pages.fill(text) == text, f"{name(page)} is out of date: run make pages"


@pytest.mark.parametrize("file", sorted(pages.pictures()))
def test_pictures_are_up_to_date(file: str) -> None:
    path = pages.PICTURES / file
    assert path.read_text(encoding="utf-8") == pages.pictures()[file](), (
        f"{file} is out of date: run make pages"
    )


@pytest.mark.parametrize("path", pages.examples(), ids=lambda path: path.parts[-3])
def test_examples_of_the_page_are_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == pages.examples()[path](), (
        f"{path} is out of date: run make pages"
    )


def test_every_picture_is_shown_in_both_languages() -> None:
    for suffix in (".md", ".de.md"):
        text = "".join(
            (pages.PICTURES / f"{game}{suffix}").read_text("utf-8")
            for game in ("blokus", "hase-und-igel")
        )
        assert {*re.findall(r"\]\(([\w-]+\.svg)\)", text)} == {*pages.pictures()}
    assert {path.name for path in pages.PICTURES.glob("*.svg")} == {*pages.pictures()}


@pytest.mark.parametrize("file", sorted(pages.pictures()))
def test_pictures_are_svg_with_a_title(file: str) -> None:
    root = ElementTree.fromstring((pages.PICTURES / file).read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findtext("{http://www.w3.org/2000/svg}title")


def test_all_pieces_are_drawn_with_their_names() -> None:
    drawn = (pages.PICTURES / "blokus-pieces.svg").read_text(encoding="utf-8")
    from spielleiter.games.blokus import Piece

    assert re.findall(r">([A-Z_]+)</text>", drawn) == [piece.name for piece in Piece]


@pytest.mark.parametrize("page", PROTOCOL, ids=name)
def test_no_example_is_written_by_hand(page: Path) -> None:
    rest = pages.MADE.sub("", page.read_text(encoding="utf-8"))
    assert "```" not in rest


def test_a_page_that_was_edited_is_found() -> None:
    page = documents.ROOT / "docs/protocol.md"
    text = page.read_text(encoding="utf-8")
    edited = text.replace(
        '<join gameType="swc_2021_blokus"/>\n```', '<join type="swc_2021_blokus"/>\n```'
    )
    assert edited != text
    assert pages.fill(edited) == text


def test_the_command_finds_and_mends_what_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "docs/page.md"
    page.parent.mkdir()
    page.write_text("<!-- made: costs.en -->\n<!-- /made -->\n", encoding="utf-8")
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    monkeypatch.setattr(pages, "pictures", dict)
    monkeypatch.setattr(sys, "argv", ["pages", "--check"])
    assert pages.main() == 1
    assert capsys.readouterr().out == "out of date: docs/page.md\n"
    monkeypatch.setattr(sys, "argv", ["pages"])
    assert pages.main() == 0
    assert "| 4 | 10 |" in page.read_text(encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["pages", "--check"])
    assert pages.main() == 0


def test_a_name_that_nobody_makes_is_named() -> None:
    with pytest.raises(SystemExit, match=r"a page wants no/such, which nobody makes"):
        pages.fill("<!-- made: no/such -->\n<!-- /made -->")


# Every example is read by the product, and written again to the same


USED = sorted(
    {
        found[2]
        for page in PROTOCOL
        for found in pages.MADE.finditer(page.read_text(encoding="utf-8"))
    }
    - {*TABLES}
)
"""The examples by name.

What they are takes seconds to make, so it is not asked for before it is needed.
"""


def read(packet: str) -> Element:
    stream = MessageStream()
    stream.receive_data(f"<protocol>{packet}</protocol>".encode())
    element, end = stream.events_received()
    assert isinstance(element, Element)
    assert isinstance(end, StreamEnd)
    return element


def check_request(said: Said) -> None:
    decoded = decode_request(read(said.text))
    assert not decoded.discarded
    message = decoded.message
    if said.state is None:
        spelled = {encode_request(message, dialect) for dialect in DIALECTS.values()}
        assert said.text in spelled
        return
    assert isinstance(message, messages.RoomMessage)
    assert message.data is not None
    assert said.codec is not None
    received = said.codec.decode_move(message.data, said.state)
    assert not received.discarded
    assert (
        writer.room(message.room_id, said.codec.encode_move(received.move, received.hints))
        == said.text
    )


def check_response(said: Said) -> None:
    assert said.codec is not None
    response = decode_response(read(said.text))
    assert not isinstance(response, messages.UnknownServerMessage), response
    if isinstance(response, messages.Memento):
        received = said.codec.decode_state(response.state)
        assert not set(received.discarded) - KNOWN_TO_US
        again = said.codec.encode_state(received.state, received.names, received.hints)
        memento = messages.Memento(response.room_id, again)
        again = encode_response(memento, said.codec.dialect)
        assert without_condition(again) == without_condition(said.text)
    elif isinstance(response, messages.ResultMessage):
        outcome = said.codec.decode_outcome(response.data)
        for seat in outcome.seats:
            assert f"<part>{seat.points}</part>" in said.text


KNOWN_TO_US = {"condition"}
"""Children of a state that a reader of ours passes over."""


def without_condition(text: str) -> str:
    return re.sub(r"\n *<condition\b.*?(/>|</condition>)", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("example", USED)
def test_examples_are_read_and_written_alike(example: str) -> None:
    for said in wire_examples.examples()[example].packets:
        if said.text == "</protocol>":
            continue
        (check_request if said.who is CLIENT else check_response)(said)


def test_a_wrong_example_would_be_found() -> None:
    move = wire_examples.examples()["2021/move-set"].packets[0]
    wrong = Said(CLIENT, move.text.replace("PENTO_L", "PENTO_Q"), move.codec, move.state)
    with pytest.raises(CodecError):
        check_request(wrong)
    with pytest.raises(AssertionError):
        check_response(Said("server", "<hello/>", move.codec))


@pytest.mark.parametrize("example", USED)
def test_what_is_shown_is_xml(example: str) -> None:
    for block in re.findall(
        r"```xml\n(.*?)\n```", wire_examples.examples()[example].shown, re.DOTALL
    ):
        body = block.replace("<protocol>", "").replace("</protocol>", "")
        ElementTree.fromstring(f"<all>{body}</all>")


@pytest.mark.parametrize("example", USED)
def test_brackets_are_nothing_but_bounds_of_tags(example: str) -> None:
    """A promise of the page to people who write their own reader."""
    for said in wire_examples.examples()[example].packets:
        if said.who is not CLIENT:
            assert not re.search(r"<!|'|=\s*[^\s\"]", re.sub(r'"[^"<>]*"', '""', said.text))
            assert re.fullmatch(r'(?:\s*</?[\w.]+(?: \w+="[^"<>]*")*/?>[^<>]*)+', said.text)


def test_every_message_and_revision_is_on_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PROTOCOL)
    shown = "".join(
        found[3]
        for page in PROTOCOL
        for found in pages.MADE.finditer(page.read_text(encoding="utf-8"))
    )
    from spielleiter.wire import requests, responses

    for tag in {*requests._READERS, *responses._READERS}:
        assert f"<{tag}" in text, f"no page has an example of <{tag}>"
    for kind in responses._ROOM_READERS:
        assert f'class="{kind}"' in shown, f"no page has an example of a room's {kind}"
    for game in all_games():
        assert game.game_type in text
        for revision in game.codecs:
            assert f"`{revision}`" in text


# Rules


@pytest.mark.parametrize("file", ["blokus.md", "blokus.de.md"])
def test_the_table_of_variants_is_right(file: str) -> None:
    text = (pages.PICTURES / file).read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line[:2] == "| "
    ]
    start = next(n for n, row in enumerate(rows) if row[1:] and row[1] == "`blokus-2021`")
    ids = [cell.strip("`") for cell in rows[start][1:]]
    blokus: list[Game] = [get_game(one) for one in ids]
    assert {game.id for game in all_games() if "blokus" in game.id} == {*ids}
    covers, pieces, rounds, ends = (row[1:] for row in rows[start + 1 : start + 5])
    for column, game in enumerate(blokus):
        season = game.season
        assert (covers[column] in ("a corner", "eine Ecke")) == (
            season.start_mistake == "NOT_IN_CORNER"
        )
        assert pieces[column].startswith(("eleven", "elf")) == (len(season.start_pieces) == 11)
        assert int(rounds[column]) == season.turn_limit // 4
        assert ends[column].startswith(("with", "mit")) == season.ends_when_finished


@pytest.mark.parametrize("game", ["blokus", "hase-und-igel"])
def test_rules_in_both_languages_have_the_same_shape(game: str) -> None:
    english, german = (
        (pages.PICTURES / f"{game}{end}").read_text(encoding="utf-8") for end in (".md", ".de.md")
    )
    for pattern in (r"^#+ ", r"^\|", r"^\d\. ", r"^\* ", r"!\[", r"\b[BH]\d+\b"):
        counts = {len(re.findall(pattern, text, re.MULTILINE)) for text in (english, german)}
        assert len(counts) == 1, pattern
    for pattern in (r"`[A-Z_\d]{3,}`", r"\b[BH]\d+\b"):
        assert {*re.findall(pattern, english)} == {*re.findall(pattern, german)}


def test_rulings_that_pages_name_exist() -> None:
    rulings = (documents.ROOT / "docs/rulings.md").read_text(encoding="utf-8")
    known = {*re.findall(r"^\| ([BHW]\d+) \|", rulings, re.MULTILINE)}
    for page in PAGES:
        text = re.sub(r"`[^`\n]*`", "", pages.MADE.sub("", page.read_text(encoding="utf-8")))
        assert {*re.findall(r"\b[BHW]\d+\b", text)} <= known, name(page)


# The sample of server.properties

SAMPLE = documents.ROOT / "examples/server.properties"


def test_the_sample_has_every_key_once_and_explains_it() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    keys = re.findall(r"^#?(\w+)=", text, re.MULTILINE)
    assert sorted(keys) == sorted(PROPERTIES)
    for paragraph in text.strip().split("\n\n"):
        assert paragraph.startswith("# ")


def test_the_sample_changes_nothing() -> None:
    settings = load_settings(SAMPLE, None, {}, {})
    assert settings == Settings()
    assert not settings.notes


def test_what_is_commented_out_in_the_sample_can_be_read(tmp_path: Path) -> None:
    text = re.sub(r"^#(?=\w+=)", "", SAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    file = tmp_path / "server.properties"
    file.write_text(text, encoding="utf-8")
    assert {entry.key for entry in read_entries(text)} == {*PROPERTIES}
    settings = load_settings(file, None, {}, {})
    assert settings.load == Path("replays/game.xml.gz")
    assert settings.turn == 20
