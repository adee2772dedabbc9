"""The command line of a bot."""

from __future__ import annotations

import re

import pytest

from spielleiter.client.arguments import WITH_VALUE, HelpAsked, parse_options, split_name


@pytest.mark.parametrize(
    ("words", "name", "rest"),
    [
        ("greedy -p 1", "greedy", "-p 1"),
        ("-p 1 greedy", "greedy", "-p 1"),
        ("-r greedy -p 1 greedy", "greedy", "-r greedy -p 1"),
        ("--seed -5 greedy --room a", "greedy", "--seed -5 --room a"),
        ("--debug greedy", "greedy", "--debug"),
        ("--port=1 -hx -r -p greedy more", "greedy", "--port=1 -hx -r -p more"),
        ("--unknown --host host greedy", "greedy", "--unknown --host host"),
        ("-p 1 --verify", None, "-p 1 --verify"),
        ("", None, ""),
    ],
)
def test_the_name_may_stand_anywhere(words, name, rest):
    assert split_name(words.split()) == (name, rest.split())


def test_all_options_with_a_value_are_known():
    with pytest.raises(HelpAsked) as asked:
        parse_options(["--help"])
    usage = str(asked.value).partition("options:")[2].partition("example:")[0]
    entries = re.findall(r"^  (-.*?)(?:  .*)?$", usage, re.MULTILINE)
    with_value = {
        flag
        for entry in entries
        if re.search(r" [A-Z]+$", entry)
        for flag in re.findall("--?[a-z-]+", entry)
    }
    assert with_value == WITH_VALUE
