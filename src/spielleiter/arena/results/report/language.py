"""Say words and write numbers in English or German."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from spielleiter.rules import Text

LANGUAGES = ("en", "de")


@dataclass(frozen=True, slots=True)
class Language:
    """One of ``LANGUAGES``. Calling it chooses between a German and an English text."""

    code: str = "en"

    def __call__(self, german: str, english: str) -> str:
        return german if self.code == "de" else english

    def text(self, text: Text) -> str:
        """Return a sentence that is there in both languages."""
        return self(text.de, text.en)

    def number(self, value: float, digits: int = 0, *, signed: bool = False) -> str:
        """Return a number with as many decimal places, thousands apart."""
        rounded = round(value, digits) + 0.0  # so that nothing is "-0"
        written = f"{rounded:{'+' if signed and rounded else ''},.{digits}f}"
        written = written.replace("-", "\N{MINUS SIGN}")
        return self(written.translate(str.maketrans(",.", ".,")), written)

    def percent(self, share: float) -> str:
        """Return a share of 1 in whole percent."""
        return f"{self.number(100 * share)}\N{NO-BREAK SPACE}%"

    def seconds(self, seconds: float) -> str:
        """Return a time in a unit that keeps the number short."""
        space = "\N{NO-BREAK SPACE}"
        if 0 < seconds < 0.00009995:
            return f"{self.number(1_000_000 * seconds)}{space}µs"
        if seconds < 0.9995:
            return f"{self._short(1000 * seconds)}{space}ms"
        if seconds < 100:
            return f"{self._short(seconds)}{space}s"
        minutes, rest = divmod(round(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        if hours:
            return f"{self.number(hours)}{space}h {minutes}{space}min"
        return f"{minutes}{space}min {rest}{space}s"

    def _short(self, value: float) -> str:
        """Return a number with one decimal place where it is small and has one to show."""
        return self.number(value, 1 if round(value, 1) % 1 and value < 9.95 else 0)

    def moment(self, when: datetime) -> str:
        """Return a date and a time of day, in the time zone that it comes with."""
        return when.strftime(self("%d.%m.%Y, %H:%M", "%Y-%m-%d, %H:%M"))

    def count(self, number: int, german: tuple[str, str], english: tuple[str, str]) -> str:
        """Return a number with its noun, of which there is a singular and a plural."""
        one, many = german if self.code == "de" else english
        return f"{self.number(number)} {one if number == 1 else many}"
