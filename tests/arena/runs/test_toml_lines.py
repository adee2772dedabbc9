"""Where keys of a TOML file are, whatever stands around them."""

from __future__ import annotations

import tomllib

from spielleiter.arena.runs.toml_lines import key_lines, line_of

TEXT = '''\
# a comment with key = "value" and [a table]
title = "a # that is not a comment, and a = sign"
"two words" = 1

story = """
game = "not a key"
[[bot]]
"""
raw = \'\'\'
x = 1\'\'\'
bots = [
    "one",  # the "first"
    { start = "two", name = "a, b" }, "three",

    [
        "four",
    ],
]
a.b.c = 5

[[bot]]
name = "Anna"
[[bot]]
name = "Ben"
  [bot.more]
  age = 3
[[bot]]
[last]
end = 1'''


def test_every_key_is_found_where_it_is() -> None:
    tomllib.loads(TEXT)
    lines = key_lines(TEXT)
    for path, line in {
        ("title",): 2,
        ("two words",): 3,
        ("story",): 5,
        ("raw",): 9,
        ("bots",): 11,
        ("bots", 0): 12,
        ("bots", 1): 13,
        ("bots", 2): 13,
        ("bots", 3): 15,
        ("a", "b", "c"): 19,
        ("bot", 0): 21,
        ("bot", 0, "name"): 22,
        ("bot", 1): 23,
        ("bot", 1, "name"): 24,
        ("bot", 1, "more"): 25,
        ("bot", 1, "more", "age"): 26,
        ("bot", 2): 27,
        ("last", "end"): 29,
    }.items():
        assert lines.get(path) == line, path
    assert ("game",) not in lines
    assert ("x",) not in lines
    assert ("bots", 4) not in lines


def test_what_has_no_line_of_its_own_is_where_the_thing_around_it_is() -> None:
    lines = key_lines(TEXT)
    assert line_of(lines, ("bots", 1, "name")) == 13
    assert line_of(lines, ("bot", 2, "name")) == 27
    assert line_of(lines, ("nothing",)) == 1
    assert line_of(key_lines(""), ("nothing",)) == 1
