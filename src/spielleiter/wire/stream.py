"""Read one direction of a connection in pieces and hand out the messages in it.

It does no I/O, and what a message means is decided elsewhere.

``receive_data`` takes what the network gave, where no bytes mean the end as they do for a socket,
and ``events_received`` hands out what it amounts to. A message comes out with its last byte, and
what comes out never depends on how the bytes were cut into pieces.

That holds because the parser is never given more than ``token_bytes`` beyond the start of the token
it waits to finish, so a longer token is noticed at the same byte whatever the cut. The other limits
look only at where tokens start, which the content alone decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.parsers import expat

from spielleiter.rules.frozen import frozen
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import LimitExceeded, MalformedXml, ProtocolError, ReplayError
from spielleiter.wire.limits import StreamLimits

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

_SPACE = b" \t\r\n"
_OPENING = ord("<")
_BOM = b"\xef\xbb\xbf"
_TEXT_BUFFER = 256  # per connection; texts are colours and shape names. pyexpat's default is 8 KiB
_DEFAULT_LIMITS = StreamLimits()


@frozen
class StreamEnd:
    """Nothing more will come.

    ``orderly`` says whether the root was closed. Otherwise the connection just ended, and
    ``unfinished`` says whether that cut something in two.
    """

    orderly: bool
    unfinished: bool = False


StreamEvent = Element | StreamEnd | ProtocolError
"""Messages, and as the last event of a stream one of the other two."""


class MessageStream:
    """Reads the children of one root element, whatever its name (W49).

    A fault ends the stream. What came before it is still handed out, then the ProtocolError, once,
    as an event. What is received after the end, orderly or not, is dropped.
    """

    __slots__ = (
        "_complete",
        "_consumed",
        "_elements",
        "_events",
        "_fed",
        "_head",
        "_is_open",
        "_limits",
        "_mark",
        "_names",
        "_parser",
        "_rooted",
        "_skipped",
        "_skipped_lines",
        "_stack",
        "_tail",
        "_text",
    )

    def __init__(self, limits: StreamLimits = _DEFAULT_LIMITS) -> None:
        self._limits = limits
        self._events: list[StreamEvent] = []
        self._is_open = True
        self._head = b""  # first bytes that do not yet tell the encoding
        self._skipped = 0  # bytes that the parser never sees, such as those before the first '<'
        self._skipped_lines = 0
        self._parser: XMLParserType | None = None  # made with the first '<'
        self._rooted = False  # the root has begun
        self._complete = False  # the root has ended
        self._names: dict[str, str] = {}  # every name the parser remembers
        self._stack: list[
            Element
        ] = []  # the message being read, outermost first; empty between messages
        self._text: list[str] = []  # character data not yet given to its element
        # Positions, in bytes of what the parser was given:
        self._fed = 0
        self._consumed = 0  # start of the first token that is not finished
        self._mark = 0  # start of the current message, or of the gap between two
        self._elements = 0  # of the current message
        self._tail = 0  # the first byte of the token that is not finished

    @property
    def is_open(self) -> bool:
        """Return whether further data can still mean something."""
        return self._is_open

    @property
    def is_idle(self) -> bool:
        """Return whether the peer is between two messages, with nothing begun and not finished."""
        # Between messages expat may hold back a carriage return or a bracket, which does not
        # begin anything.
        waits = self._fed > self._consumed and self._tail == _OPENING
        return not self._stack and not waits and not self._head

    def receive_data(self, data: bytes) -> None:
        """Take bytes as they came. No bytes mean that the peer will send no more."""
        if not self._is_open:
            return
        if not data:
            self._end(StreamEnd(orderly=False, unfinished=not self.is_idle))
            return
        try:
            if self._parser is None:
                data = self._opening(data)
            if data:
                self._feed(data)
        except ProtocolError as error:
            self._end(error)
        else:
            if self._complete:
                self._end(StreamEnd(orderly=True))

    def receive_eof(self) -> None:
        """Say that the peer will send no more, as ``receive_data(b"")`` does."""
        self.receive_data(b"")

    def events_received(self) -> list[StreamEvent]:
        """Return what has become complete since the last call, in order."""
        events, self._events = self._events, []
        return events

    def pass_over(self, message: bytes) -> bool:
        """Leave out a whole message that came and need not be parsed, because it is known.

        Everything after it comes out as if it had been received. Return False if that cannot be,
        for example because it came in the middle of another one. Then it has to be received.
        """
        gap = self._fed - self._mark
        if (
            not self._rooted
            or not self._is_open
            or self._stack
            or self._consumed < self._fed  # something has begun, or may have
            or gap + len(message) > self._limits.gap_bytes
            or len(message) > min(self._limits.message_bytes, self._limits.elements)
        ):
            return False
        self._skipped += len(message)
        self._skipped_lines += message.count(b"\n")
        self._mark = self._fed - (len(message) - message.rfind(b"</"))
        return True

    def _opening(self, data: bytes) -> bytes:
        """Skip what may stand before the first '<', and return what is left to parse.

        Raises ProtocolError for what is not UTF-8.
        """
        data = self._head + data
        self._head = b""
        if self._skipped == 0 and data[:1] == _BOM[:1]:
            if len(data) < len(_BOM) and _BOM.startswith(data):
                self._head = data
                return b""
            if data.startswith(_BOM):
                self._skipped = len(_BOM)
                data = data[len(_BOM) :]
        body = data.lstrip(_SPACE)  # XML allows no space before its declaration, but it happens
        self._skipped += len(data) - len(body)
        if self._skipped > self._limits.gap_bytes:
            raise LimitExceeded("gap_bytes", self._limits.gap_bytes)
        if not body:
            return b""
        if body == b"<":
            self._head = body
            return b""
        # Expat takes '<' and NUL for UTF-16, whatever encoding it was told.
        if body[:1] != b"<" or body[1] == 0:
            raise MalformedXml(
                "not XML in UTF-8: a stream begins with '<', for example <protocol>", self._skipped
            )
        self._parser = self._new_parser()
        return body

    def _new_parser(self) -> XMLParserType:
        # Our own dictionary of names, because the parser keeps every name it has met until it is
        # freed, and does not say how many there are. Counting them here bounds the memory.
        parser = expat.ParserCreate("utf-8", None, self._names)
        if hasattr(parser, "SetReparseDeferralEnabled"):
            # Newer expats wait for more bytes before they look again at an unfinished token. A
            # complete move would stay inside while its sender waits for an answer. They do so
            # because a long token in small pieces costs the square of its length, which is bounded
            # by token_bytes instead.
            parser.SetReparseDeferralEnabled(False)
        parser.buffer_size = _TEXT_BUFFER
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._finish
        parser.CharacterDataHandler = self._text.append
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.ProcessingInstructionHandler = self._refuse_instruction
        return parser

    def _feed(self, data: bytes) -> None:
        parser = self._parser
        assert parser is not None
        token_bytes = self._limits.token_bytes
        at, end = 0, len(data)
        while at < end:
            # The parser gets no more than the limit beyond the start of the open token, even if
            # more is there. Giving it everything and measuring afterwards would let a token pass
            # that came in one piece and refuse the same token in two.
            room = self._consumed + token_bytes - self._fed
            if room <= 0:
                raise LimitExceeded("token_bytes", token_bytes)
            piece = data if room >= end and not at else data[at : at + room]
            at += len(piece)
            self._fed += len(piece)
            try:
                parser.Parse(piece, False)
            except expat.ExpatError as error:
                if self._complete:  # whatever follows the end of the root concerns nobody
                    return
                position = parser.ErrorByteIndex
                self._check_size(position)
                line = error.lineno + self._skipped_lines
                reason = f"the XML is broken in line {line}: {_problem(error)}"
                raise MalformedXml(reason, self._skipped + position) from None
            if self._complete:
                return
            self._consumed = parser.CurrentByteIndex
            begins = self._consumed - (self._fed - len(piece))
            if 0 <= begins < len(piece):
                self._tail = piece[begins]
            self._check_size(self._consumed)
            if not self._stack:
                self._text.clear()

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        limits = self._limits
        stack = self._stack
        position = self._parser.CurrentByteIndex  # type: ignore[union-attr]  # it is calling us
        if position - self._mark > (limits.message_bytes if stack else limits.gap_bytes):
            self._check_size(position)
        if len(attributes) > limits.attributes:
            raise LimitExceeded("attributes", limits.attributes)
        if len(self._names) > limits.names:
            raise LimitExceeded("names", limits.names)
        text = self._text
        if stack:
            if len(stack) >= limits.depth:
                raise LimitExceeded("depth", limits.depth)
            self._elements += 1
            if self._elements > limits.elements:
                raise LimitExceeded("elements", limits.elements)
            parent = stack[-1]
            if text:
                parent.text += "".join(text)
                text.clear()
            element = Element(tag, attributes, [], "")
            parent.children.append(element)
            stack.append(element)
        elif self._rooted:
            text.clear()
            self._mark = position
            self._elements = 1
            stack.append(Element(tag, attributes, [], ""))
        else:
            self._rooted = True

    def _finish(self, tag: str) -> None:  # noqa: ARG002 - the parser has compared it already
        stack = self._stack
        if not stack:
            self._check_size(self._parser.CurrentByteIndex)  # type: ignore[union-attr]  # it is calling us
            self._complete = True
            return
        text = self._text
        element = stack[-1]
        if text:
            element.text += "".join(text)
            text.clear()
        if len(stack) == 1:
            position = self._parser.CurrentByteIndex  # type: ignore[union-attr]  # it is calling us
            self._check_size(position)
            if len(self._events) >= self._limits.pending_messages:
                raise LimitExceeded("pending_messages", self._limits.pending_messages)
            self._events.append(element)
            self._mark = position
        stack.pop()

    def _refuse_doctype(self, *_: object) -> None:
        self._refuse("a DOCTYPE is not allowed here: leave it out, with its entities")

    def _refuse_instruction(self, *_: object) -> None:
        self._refuse(
            "a processing instruction is not allowed here, only an XML declaration at the very "
            "beginning"
        )

    def _refuse(self, reason: str) -> None:
        if not self._complete:
            position = self._parser.CurrentByteIndex  # type: ignore[union-attr]  # it is calling us
            self._check_size(position)
            raise MalformedXml(reason, self._skipped + position)

    def _check_size(self, position: int) -> None:
        name, limit = (
            ("message_bytes", self._limits.message_bytes)
            if self._stack
            else ("gap_bytes", self._limits.gap_bytes)
        )
        if position - self._mark > limit:
            raise LimitExceeded(name, limit)

    def _end(self, event: StreamEvent) -> None:
        if isinstance(event, ProtocolError):
            # It is handed out as a value. Its traceback would keep this stream in memory with it.
            event.__traceback__ = event.__context__ = None
        self._events.append(event)
        self._is_open = False
        self._stack.clear()
        self._text.clear()
        self._names.clear()
        parser, self._parser = self._parser, None
        if parser is not None:
            # Its handlers point back to us, and left alone only the collector would free both.
            parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = (
                None
            )
            parser.StartDoctypeDeclHandler = parser.ProcessingInstructionHandler = None


def _problem(error: expat.ExpatError) -> str:
    return expat.ErrorString(error.code) or "unreadable"


def parse_element(text: str) -> Element:
    """Parse the text of one element, such as a codec wrote.

    Raises ReplayError for anything else.
    """
    stream = MessageStream()
    stream.receive_data(f"<x>{text}</x>".encode("utf-8", "replace"))
    element = stream.events_received()[0]
    if not isinstance(element, Element):
        raise ReplayError(f"this is not an XML element: {element}")
    return element
