"""Put the report of collected results together, as one HTML page that needs nothing else.

It loads nothing and can be read without its script, which only sorts tables. The page's own policy
lets no other script run, whatever a bot is called.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.report.details import details, runs
from spielleiter.arena.results.report.headline import notices, tiles, title, verdict
from spielleiter.arena.results.report.language import Language
from spielleiter.arena.results.report.plots import escape
from spielleiter.arena.results.report.results import results
from spielleiter.rules import one_line


def render_report(
    collection: Collection, times: Mapping[int, Sequence[int]], language: Language
) -> str:
    """Return the page. ``times`` is what ``figures.move_times`` counted."""
    here = files(__package__)
    style = (here / "report.css").read_text("utf-8")
    script = (here / "sorting.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    body = "\n".join(_body(collection, times, language))
    # Half a character, of which some names are made, cannot be written to any file.
    page = f"""<!DOCTYPE html>
<html lang="{language.code}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title(collection, language))}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
<script>{script}</script>
</body>
</html>
"""
    return page.encode("utf-8", "replace").decode("utf-8")


def _body(collection: Collection, times: Mapping[int, Sequence[int]], t: Language) -> Iterator[str]:
    yield "<header>"
    yield f'<p class="over">{escape(collection.game.title)}</p>'
    yield f"<h1><bdi>{escape(title(collection, t))}</bdi></h1>"
    for sentence in verdict(collection, t):
        yield f'<p class="verdict">{escape(sentence)}</p>'
    for sentence in notices(collection, t):
        yield f'<p class="notice">{sentence}</p>'
    yield tiles(collection, t)
    yield "</header>"
    if collection.counted:
        yield from results(collection, t)
        yield from details(collection, times, t)
    yield runs(collection, t)
    versions = sorted({run.run.version for run in collection.runs if run.run.version})
    made = t("Erstellt mit", "Made with")
    played = t("gespielt mit Version", "played with version")
    with_versions = f", {played} {', '.join(map(one_line, versions))}" if versions else ""
    yield f"<footer>{made} spielleiter results report{escape(with_versions)}.</footer>"
