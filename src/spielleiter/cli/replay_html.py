"""Write a recorded match as one HTML page that opens by itself, for ``spielleiter replay html``."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spielleiter.cli.results_files import write_file
from spielleiter.replays import RecordedMatch

ENDINGS = (".html", ".htm")


def write_page(
    recorded: RecordedMatch, output: Path, review: Mapping[str, Any] | None = None
) -> None:
    """Write the page of a match to this file, with its analysis if there is one.

    Raises CliError.
    """
    # Imported on first use, because only this command needs the page.
    from spielleiter.web.export import saved_page
    from spielleiter.web.recordings import story_of_recording
    from spielleiter.web.telling import Teller

    story = story_of_recording(recorded, "match", now=time.monotonic)
    story.review = review
    teller = Teller()
    for state in story.positions:
        teller.count_mobility(state)
    write_file(output, saved_page(story, teller).encode("utf-8", "replace"))


def page_name(recorded: RecordedMatch) -> Path:
    """Return the file beside a recording that its page goes to if nobody names one."""
    source = Path(recorded.source)
    name = source.name.lower().removesuffix(".gz").removesuffix(".xml")
    return source.with_name(f"{source.name[: len(name)]}.html")
