"""What bots print reaches the story in lines, and never more than it has room for."""

from __future__ import annotations

import asyncio

from spielleiter.games import get_game
from spielleiter.web import printed
from spielleiter.web.printed import PrintedLines
from spielleiter.web.story import ChangeKind, MatchStory, Source, StorySeat
from web.opened import run


def make_story() -> MatchStory:
    seats = [StorySeat("one"), StorySeat("two")]
    return MatchStory("x", get_game("blokus-2027"), seats, Source.LIVE, lambda: 0.0)


def test_lines_come_whole_from_another_thread() -> None:
    async def main() -> None:
        story = make_story()
        lines = PrintedLines(story)
        came = asyncio.Event()
        story.hearers.append(
            lambda _, change: came.set() if change.kind is ChangeKind.OUTPUT else None
        )
        await asyncio.to_thread(lines.hear, 0, "stdout", b"one\r\ntw")
        await came.wait()
        assert [line.text for line in story.output] == ["one"]
        await asyncio.to_thread(lines.hear, 0, "stdout", "o ü".encode()[:-1])
        await asyncio.to_thread(lines.hear, 0, "stdout", "ü".encode()[1:])
        await asyncio.to_thread(lines.hear, 1, "stderr", b"other")
        lines.close()
        found = [(line.seat, line.stream, line.text) for line in story.output]
        assert found == [
            (0, "stdout", "one"),
            (0, "stdout", "two ü"),
            (1, "stderr", "other"),
        ]

    run(main())


def test_a_line_stands_beside_the_position_at_which_it_was_written() -> None:
    async def main() -> None:
        story = make_story()
        lines = PrintedLines(story)
        lines.hear(0, "stdout", b"import\n")
        lines.reach(0, [{"stdout": 7, "stderr": 0}, {}])
        # The move came before its line was read, and the next one in the middle of a line.
        lines.reach(1, [{"stdout": 13, "stderr": 0}, {}])
        lines.reach(2, [{"stdout": 13, "stderr": 2}, {}])
        lines.reach(3, [{"stdout": 16, "stderr": 2}, {}])
        lines.hear(0, "stdout", b"first\nsecond\nthird\n")
        lines.hear(0, "stderr", b"oh\n")
        lines.close()
        assert [(line.text, line.index) for line in story.output] == [
            ("import", 0),
            ("first", 0),
            ("second", 2),
            ("third", 3),
            ("oh", 1),
        ]

    run(main())


def test_a_flood_is_cut_and_counted() -> None:
    async def main() -> None:
        story = make_story()
        lines = PrintedLines(story)
        many = printed.MOST_WAITING + 50
        lines.hear(0, "stdout", b"x\n" * many)
        lines.hear(0, "stdout", b"y" * 1_000_000)
        lines.close()
        texts = [line.text for line in story.output]
        assert texts[0] == "… 51 …"
        assert story.output[0].stream == printed.CUT
        assert len(texts) == printed.MOST_WAITING + 1
        assert len(texts[-1]) <= 501

    run(main())


def test_a_loop_that_has_ended_is_no_trouble() -> None:
    async def main() -> PrintedLines:
        return PrintedLines(make_story())

    asyncio.run(main()).hear(0, "stdout", b"late\n")
