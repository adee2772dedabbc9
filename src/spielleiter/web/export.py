"""Write one match as one HTML file that opens without a server, by a double click.

It has the page's own modules and styles in it, and the match as data that cannot become markup.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from spielleiter import __version__
from spielleiter.web.bundle import BundleError, bundle
from spielleiter.web.files import page_folder
from spielleiter.web.reading import tell_game
from spielleiter.web.story import MatchStory
from spielleiter.web.telling import Teller

_STATIC = "/static/"
_GAMES = "/games/"
_PAGE = "match.html"
_ENTRY = "/static/js/pages/match.js"
_VIEW = "view.js"
_LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)">\n')
_SCRIPT = re.compile(r'<script (type="module" )?src="([^"]+)"></script>\n')
_ICON = re.compile(r'<link rel="icon" href="([^"]+)" type="([^"]+)">')
_CHARSET = '<meta charset="utf-8">\n'
_ELEMENT = re.compile(r"</?(script|style)|<!--", re.IGNORECASE)
"""What would end the element that a file is put into, or begin one that hides its end."""
_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src {styles}; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


def saved_page(story: MatchStory, teller: Teller) -> str:
    """Return the page of a match with everything in it that it needs.

    The modules of a game from elsewhere may be written in a way that we do not know. Its match is
    shown by pictures then, as that of a game that has none.
    """
    folder = page_folder(story.game)
    if folder is not None:
        with contextlib.suppress(BundleError):
            return _write(story, teller, _Shelf(story.game.page, folder))
    return _write(story, teller, _Shelf(None, None))


def _write(story: MatchStory, teller: Teller, shelf: _Shelf) -> str:
    html = shelf.read_page()
    entries = [*([shelf.view] if shelf.view else []), _ENTRY]
    sheets = "".join(shelf.read(address) for address in _LINK.findall(html)) + shelf.styles()
    early = "".join(shelf.read(address) for kind, address in _SCRIPT.findall(html) if not kind)
    script = bundle(entries, shelf.read)
    policy = _POLICY.format(
        scripts=f"{_fingerprint(early)} {_fingerprint(script)}", styles=_fingerprint(sheets)
    )
    html = _SCRIPT.sub("", _LINK.sub("", html))
    html = _ICON.sub(lambda found: f'<link rel="icon" href="{shelf.picture(found[1])}">', html)
    head = (
        f'{_CHARSET}<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<style>{sheets}</style>\n<script>{early}</script>\n"
    )
    answers = embed(_answers(story, teller, has_view=shelf.view is not None))
    data = (
        f'<script type="application/json" id="saved-match">{embed(story.id)}</script>\n'
        f'<script type="application/json" id="saved-answers">{answers}</script>\n'
        f'<script type="module">{script}</script>\n'
    )
    return html.replace(_CHARSET, head, 1).replace("</body>", f"{data}</body>", 1)


def _answers(story: MatchStory, teller: Teller, *, has_view: bool) -> dict[str, Any]:
    """Return what the server would answer to this page, by address."""
    game = tell_game(story.game)
    if not has_view:
        game |= {"folder": None, "page": None}
    address = f"/api/matches/{story.id}"
    answers: dict[str, Any] = {
        "/api/info": {"version": __version__, "games": [game], "default_game": story.game.id}
        | {"bots": {}, "own_bots": {}, "analysable": [], "server": None, "may": []},
        address: json.loads(teller.match(story)),
    }
    if not has_view:
        for index, state in enumerate(story.positions):
            answers[f"{address}/position.svg?index={index}"] = story.game.svg(state)
    return answers


def embed(value: Any) -> str:
    """Return a value as JSON that has nothing in it that ends or begins an element of a page."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _fingerprint(text: str) -> str:
    """Return what the policy of a page calls an element with this text."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


class _Shelf:
    """The files of the page and of one game, by their addresses."""

    def __init__(self, game: Traversable | None, folder: str | None) -> None:
        self._static = files("spielleiter.web") / "static"
        self._game = game
        self._prefix = f"{_GAMES}{folder}/"
        self.view = None if game is None else f"{self._prefix}{_VIEW}"

    def read(self, address: str) -> str:
        """Return the text of a file. Raises BundleError."""
        text = self._find(address).read_text(encoding="utf-8")
        if _ELEMENT.search(text) is not None:
            raise BundleError(f"{address} has the beginning or the end of an element in it")
        return text

    def read_page(self) -> str:
        """Return the page of a match as the server sends it."""
        return (self._static / _PAGE).read_text(encoding="utf-8")

    def picture(self, address: str) -> str:
        """Return a picture as an address that has it in itself."""
        data = base64.b64encode(self._find(address).read_bytes()).decode()
        return f"data:image/svg+xml;base64,{data}"

    def styles(self) -> str:
        """Return the style sheets of the game."""
        return "".join(self._sheets())

    def _sheets(self) -> Iterator[str]:
        if self._game is None:
            return
        for file in sorted(self._game.iterdir(), key=lambda one: one.name):
            if file.name.endswith(".css"):
                yield self.read(f"{self._prefix}{file.name}")

    def _find(self, address: str) -> Traversable:
        if address.startswith(_STATIC):
            found = self._static.joinpath(*address.removeprefix(_STATIC).split("/"))
        elif self._game is not None and address.startswith(self._prefix):
            found = self._game.joinpath(*address.removeprefix(self._prefix).split("/"))
        else:
            raise BundleError(f"{address} is no file of this page")
        if not found.is_file():
            raise BundleError(f"{address} is not there")
        return found
