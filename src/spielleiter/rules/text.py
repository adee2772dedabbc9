"""A sentence for people, in German and English. No translation happens anywhere else."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """The same sentence in two languages.

    ``de`` is as the contest phrases it where it does, and ``en`` is for everyone.
    """

    de: str
    en: str

    def format(self, **values: object) -> Text:
        """Fill the same placeholders in both languages."""
        return Text(self.de.format(**values), self.en.format(**values))

    def __str__(self) -> str:
        return self.en


NO_TEXT = Text("", "")
