"""XML elements as values, and how text is escaped when they are written.

Bytes become elements in ``stream``. What an element means is decided by messages and codecs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_NOT_IN_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Compiled on first use, because that takes 5 ms and hardly any program needs it."""
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&apos;",
        "\n": "&#xa;",
        "\t": "&#x9;",
        "\r": "&#xd;",
    }
)


class Element:
    """A parsed XML element. ``text`` is the character data directly in it, untrimmed."""

    __slots__ = ("attributes", "children", "tag", "text")
    __match_args__ = ("tag", "attributes", "children", "text")

    def __init__(
        self,
        tag: str,
        attributes: Mapping[str, str] | None = None,
        children: list[Element] | None = None,
        text: str = "",
    ) -> None:
        self.tag = tag
        self.attributes: Mapping[str, str] = {} if attributes is None else attributes
        self.children: list[Element] = [] if children is None else children
        self.text = text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return (self.tag, self.attributes, self.children, self.text) == (
            other.tag,
            other.attributes,
            other.children,
            other.text,
        )

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    def __repr__(self) -> str:
        return f"Element({self.tag!r}, {self.attributes!r}, {self.children!r}, {self.text!r})"

    def find(self, tag: str) -> Element | None:
        """Return the first child of that name."""
        for child in self.children:
            if child.tag == tag:
                return child
        return None

    def all(self, tag: str) -> Iterator[Element]:
        """Yield all children of that name, in order."""
        return (child for child in self.children if child.tag == tag)

    def get(self, name: str) -> str | None:
        """Return an attribute's value, or None if it is not there."""
        return self.attributes.get(name)


def xml_text(text: str) -> str:
    """Return the text with every character that XML 1.0 cannot carry replaced by U+FFFD (W113)."""
    # Everything printable is allowed in XML. Nearly all texts are printable, and asking that takes
    # a third of the time of the pattern.
    return text if text.isprintable() else re.sub(_NOT_IN_XML, "\ufffd", text)


def quote(value: str) -> str:
    """Return an attribute value in double quotes, escaped as the official servers escape it.

    Any text can be given, also one that XML cannot carry (W113).
    """
    return '"' + escape(value) + '"'


def escape(value: str) -> str:
    """Return character data, escaped. What XML cannot carry is replaced (W113)."""
    return xml_text(value).translate(_ESCAPES)


def indent(text: str, levels: int) -> str:
    """Shift a pretty-printed element to the right.

    Values hold no raw line breaks, see ``quote``.
    """
    pad = "  " * levels
    return pad + text.replace("\n", "\n" + pad)


def encode_element(element: Element) -> str:
    """Write any element, pretty-printed, with its attributes in their order.

    Space between children is layout and not content.
    """
    head = element.tag + "".join(
        f" {name}={quote(value)}" for name, value in element.attributes.items()
    )
    if not element.children:
        return f"<{head}>{escape(element.text)}</{element.tag}>" if element.text else f"<{head}/>"
    children = "\n".join(indent(encode_element(child), 1) for child in element.children)
    return f"<{head}>{escape(element.text.strip())}\n{children}\n</{element.tag}>"
