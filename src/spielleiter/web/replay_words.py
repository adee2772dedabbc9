"""Say in German what the readers of replays say about a recording in English.

A sentence that is not known here stays as it is.
"""

from __future__ import annotations

import re

from spielleiter.rules import Text

_GERMAN = {
    "no position in it, so it is not a replay": (
        "Es ist keine Stellung darin, also ist es kein Replay"
    ),
    "no position in it: (.*)": "Es ist keine Stellung darin: {0}",
    "no position in it": "Es ist keine Stellung darin",
    "the recording is empty": "Die Aufzeichnung ist leer",
    r"the recording is cut off inside packet (\d+), at byte (\d+)": (
        "Die Aufzeichnung ist in Paket {0} abgeschnitten, bei Byte {1}"
    ),
    r"the recording is broken after packet (\d+): (.*)": (
        "Die Aufzeichnung ist nach Paket {0} beschädigt: {1}"
    ),
    r"packet (\d+) cannot be read, nor is anything after it: (.*)": (
        "Paket {0} und alles danach lässt sich nicht lesen: {1}"
    ),
    r"more than (\d+) (?:.*): send less, or raise limit (.*)": "mehr als {0} ({1})",
    "the gzip file is cut off": "Die gzip-Datei ist abgeschnitten",
    "the gzip file is broken: (.*)": "Die gzip-Datei ist beschädigt: {0}",
    "it unpacks to more than (.*), too much for a replay": (
        "Ausgepackt sind es mehr als {0}, das ist zu viel für ein Replay"
    ),
    r"it has more than (\d+) games in it, too many to be read": (
        "Es sind mehr als {0} Partien darin, das ist zu viel"
    ),
    r"it has a game of more than (\d+) positions, too many to be read": (
        "Eine Partie darin hat mehr als {0} Stellungen, das ist zu viel"
    ),
    r"it has more than (\d+) positions": "Die Partie hat mehr als {0} Stellungen",
    "no game is installed that could read it": "Kein Spiel hier kann das lesen",
    "its positions are of no game known here; as (.*?): (.*)": (
        "Die Stellungen gehören zu keinem Spiel, das hier bekannt ist; als {0}: {1}"
    ),
    r"there are (\d+) games in it; this is room (.*?), others: (.*)": (
        "Es sind {0} Partien darin; das ist Raum {1}, andere: {2}"
    ),
    r"it begins with turn (\d+)": "Sie beginnt mit Zug {0}",
    "1 repeated position left out": "Eine doppelte Stellung ist ausgelassen",
    r"(\d+) repeated positions left out": "{0} doppelte Stellungen sind ausgelassen",
    r"(.*) ignored \((\d+) x\)": "Nicht beachtet ({1} mal): {0}",
    r"a (\w+) that is not as the rules count it \(W80\)": (
        "{0}, anders gezählt als in den Regeln (W80)"
    ),
    "unknown (<.*>)": "unbekanntes {0}",
    "other unknown things": "anderes Unbekanntes",
    "there is no result": "Ein Ergebnis fehlt",
}
_SENTENCES = [(re.compile(rf"{english}\Z"), german) for english, german in _GERMAN.items()]


def in_both(english: str) -> Text:
    """Return a sentence about a recording in both languages."""
    for pattern, german in _SENTENCES:
        found = pattern.match(english)
        if found is not None:
            return Text(german.format(*(_german(part) for part in found.groups())), english)
    return Text(english, english)


def _german(part: str) -> str:
    """Return a part of a sentence, which may be such a sentence itself."""
    return in_both(part).de
