"""Put the page's ES modules into one script, so that a file opens without a server.

It knows the few forms of import and export that our modules are written in, each at the beginning
of a line, and refuses others. Names that are exported must not change after their module has run.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_FROM = r'"(?P<from>[^"\n]+)";?[ \t]*$'
_IMPORT = re.compile(
    r"^import\s+(?:(?P<what>\*\s+as\s+[\w$]+|\{[^}]*\})\s+from\s+)?" + _FROM, re.MULTILINE
)
_REEXPORT = re.compile(r"^export\s+(?P<what>\*|\{[^}]*\})\s+from\s+" + _FROM, re.MULTILINE)
_LIST = re.compile(r"^export\s+(?P<what>\{[^}]*\});?[ \t]*$", re.MULTILINE)
_DECLARATION = re.compile(
    r"^export\s+(?=(?:async\s+)?(?:function\*?|const|class)\s+(?P<name>[\w$]+))", re.MULTILINE
)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_DYNAMIC = re.compile(r'\bimport\((?:"(?P<from>\.{0,2}/[^"\n]+)"|(?=\w))')
_OWN_ADDRESS = "import.meta.url"


class BundleError(Exception):
    """A module that cannot be put into one script. It says which, and why."""


@dataclass(frozen=True, slots=True)
class _Module:
    address: str
    code: str
    needs: tuple[str, ...]


def bundle(entries: Sequence[str], read: Callable[[str], str]) -> str:
    """Return these modules and all that they import as the text of one module. Raises BundleError.

    Addresses are those of the server, such as ``/static/js/dom.js``, and ``read`` returns the text
    of one. The modules run in the order in which a browser would run them. ``import(address)`` in
    them finds modules of the bundle, and nothing for those that are not in it.
    """
    modules: dict[str, _Module] = {}
    for entry in entries:
        _add(entry, read, modules, ())
    parts = ["const _modules = {};", "const _load = async (address) => _modules[address];"]
    parts += [f"// {one.address}\n{{\n{one.code}}}" for one in modules.values()]
    return "\n".join(parts) + "\n"


def _add(
    address: str, read: Callable[[str], str], modules: dict[str, _Module], above: tuple[str, ...]
) -> None:
    """Add a module after those that it needs."""
    if address in modules:
        return
    if address in above:
        raise BundleError(f"{address} imports itself by way of {above[-1]}")
    module = _translate(address, read(address))
    for needed in module.needs:
        _add(needed, read, modules, (*above, address))
    modules[address] = module


def _translate(address: str, text: str) -> _Module:
    """Return a module as a block. What it imports is taken from others, what it exports is kept."""
    words = _Translator(address)
    for pattern, replace in (
        (_IMPORT, words.take),
        (_REEXPORT, words.pass_on),
        (_LIST, words.give),
        (_DECLARATION, words.declare),
    ):
        text = pattern.sub(replace, text)
    left_over = _LEFT_OVER.search(text)
    if left_over is not None:
        raise BundleError(f"{address} cannot be put into one file: {left_over[0].strip()}")
    text = _DYNAMIC.sub(words.load, text).replace(_OWN_ADDRESS, f'"file://{address}"')
    kept = f'_modules["{address}"] = {{ {", ".join(words.exports)} }};'
    return _Module(address, f"{text}{kept}\n", tuple(words.needs))


class _Translator:
    """Replaces the imports and exports of one module."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.needs: dict[str, None] = {}
        self.exports: list[str] = []

    def take(self, found: re.Match[str]) -> str:
        """Return what stands for an import."""
        module, what = self._module(found), found["what"]
        if what is None:
            return ""
        if what.startswith("*"):
            return f"const {what.split()[-1]} = {module};"
        names = (one if one == other else f"{one}: {other}" for one, other in _names(what))
        return f"const {{ {', '.join(names)} }} = {module};"

    def pass_on(self, found: re.Match[str]) -> str:
        """Note what is exported from another module."""
        module, what = self._module(found), found["what"]
        if what == "*":
            self.exports.append(f"...{module}")
        else:
            self.exports += [f"{outer}: {module}.{inner}" for inner, outer in _names(what)]
        return ""

    def give(self, found: re.Match[str]) -> str:
        """Note what is exported as a list."""
        self.exports += [f"{outer}: {inner}" for inner, outer in _names(found["what"])]
        return ""

    def declare(self, found: re.Match[str]) -> str:
        """Note what is exported where it is declared."""
        self.exports.append(found["name"])
        return ""

    def load(self, found: re.Match[str]) -> str:
        """Return what stands for an import while the script runs."""
        wanted = found["from"]
        return "_load(" if wanted is None else f'_load("{_resolve(self.address, wanted)}"'

    def _module(self, found: re.Match[str]) -> str:
        needed = _resolve(self.address, found["from"])
        self.needs[needed] = None
        return f'_modules["{needed}"]'


def _names(braces: str) -> Iterator[tuple[str, str]]:
    """Yield the names in braces as pairs, the one before ``as`` first."""
    for part in braces.strip("{}").split(","):
        words = part.split()
        if words:
            yield words[0], words[-1]


def _resolve(address: str, wanted: str) -> str:
    if not wanted.startswith(("/", "./", "../")):
        raise BundleError(f"{address} imports {wanted!r}, which is no address of the page")
    return posixpath.normpath(posixpath.join(posixpath.dirname(address), wanted))
