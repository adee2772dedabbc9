"""A match as one HTML file: what is in it, what cannot break out, and what the policy allows."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import recorded
from spielleiter.replays import read_replay
from spielleiter.web.export import embed, saved_page
from spielleiter.web.recordings import story_of_recording
from spielleiter.web.story import MatchStory
from spielleiter.web.telling import Teller

BLOKUS = next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name)
HARES = next(path for path in recorded.replays("18.2.6") if "ab_own" in path.name)
MARKUP = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>&lt;\u2028"


def story_of(path: Path, *names: str) -> MatchStory:
    match = read_replay(path)
    if names:
        match = replace(match, names=names)
    return story_of_recording(match, "some id", now=lambda: 0.0)


class Elements(HTMLParser):
    """The elements of a page, with their attributes and the text of those that are scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._is_open = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.texts.append("")
        self._is_open = True

    def handle_endtag(self, tag: str) -> None:
        self._is_open = False

    def handle_data(self, data: str) -> None:
        if self._is_open:
            self.texts[-1] += data

    def text_of(self, tag: str, **attributes: str) -> str:
        return next(
            text
            for (name, given), text in zip(self.found, self.texts, strict=True)
            if name == tag and attributes.items() <= given.items()
        )


@pytest.mark.parametrize("path", [BLOKUS, HARES], ids=["blokus", "hares"])
def test_the_whole_match_is_in_the_page(path: Path) -> None:
    story = story_of(path)
    page = Elements(saved_page(story, Teller()))

    answers = json.loads(page.text_of("script", id="saved-answers"))
    assert json.loads(page.text_of("script", id="saved-match")) == story.id
    match = answers[f"/api/matches/{story.id}"]
    assert len(match["positions"]) == len(story.positions)
    assert [game["id"] for game in answers["/api/info"]["games"]] == [story.game.id]


def test_nothing_is_loaded_from_anywhere() -> None:
    page = Elements(saved_page(story_of(BLOKUS), Teller()))

    for tag, attributes in page.found:
        assert "src" not in attributes
        assert tag != "link" or str(attributes["href"]).startswith("data:")


def test_names_cannot_become_markup() -> None:
    plain = Elements(saved_page(story_of(BLOKUS, "a", "b"), Teller()))
    marked = Elements(saved_page(story_of(BLOKUS, MARKUP, MARKUP), Teller()))

    assert [tag for tag, _ in marked.found] == [tag for tag, _ in plain.found]


def test_embedded_text_is_the_same_after_reading_and_harmless_before() -> None:
    text = embed({MARKUP: MARKUP})

    assert json.loads(text) == {MARKUP: MARKUP}
    assert not re.search("[<>&\u2028\u2029]", text)


def test_the_policy_allows_these_scripts_and_styles_alone() -> None:
    page = Elements(saved_page(story_of(HARES), Teller()))

    policy = next(
        str(given["content"])
        for tag, given in page.found
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy"
    )
    texts = [
        text
        for (tag, given), text in zip(page.found, page.texts, strict=True)
        if tag == "style" or (tag == "script" and given.get("type") != "application/json")
    ]
    allowed = set(re.findall(r"'sha256-([^']+)'", policy))
    assert allowed == {
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts
    }
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")


def test_a_game_whose_modules_are_written_in_another_way_is_shown_by_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "view.js").write_text("export default 1;\n")
    story = story_of(BLOKUS)
    monkeypatch.setattr(type(story.game), "page", tmp_path)

    page = Elements(saved_page(story, Teller()))

    answers = json.loads(page.text_of("script", id="saved-answers"))
    picture = answers[f"/api/matches/{story.id}/position.svg?index=0"]
    assert picture.startswith("<svg")
