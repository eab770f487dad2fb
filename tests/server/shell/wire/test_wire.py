"""A wire gives the messages that the library would give, however its bytes are cut."""

from __future__ import annotations

import asyncio
import gc
import struct
import weakref
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from websockets.frames import BINARY, CONT, TEXT, Frame
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from doublecross.protocol.version import MAX_INBOUND_BYTES, MSGPACK, CloseCode
from doublecross.server.shell.wire.turns import ReadingTurns
from doublecross.server.shell.wire.wire import STEP_BYTES, Wire
from tests.server.shell.wire.test_frames import masked


class Turns(ReadingTurns):
    """Turns that come as soon as the test says so."""

    def wait(self, loop: asyncio.AbstractEventLoop, step: Callable[[], None]) -> None:
        self._steps.append(step)

    def run(self) -> None:
        while self._steps:
            self._steps.popleft()()


class Handle:
    def cancel(self) -> None:
        """Forget the call, which never comes."""


class Loop:
    """A loop in which time does not pass."""

    def __init__(self) -> None:
        self.due: list[Any] = []

    def call_later(self, delay: float, call: Any) -> Handle:
        self.due.append(call)
        return Handle()


class Transport:
    """Keep what is written."""

    is_aborted = False

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.is_read = True

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def write_eof(self) -> None:
        self.sent.append(b"")

    def can_write_eof(self) -> bool:
        return True

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        self.is_aborted = True

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True


class Served:
    """A wire without a network; it is its own peer, owner and place."""

    def __init__(self) -> None:
        self.loop, self.transport, self.turns = Loop(), Transport(), Turns()
        self.messages: list[bytes | str] = []
        self.ends = 0
        self.wire = Wire(
            cast(asyncio.AbstractEventLoop, self.loop),
            cast(asyncio.Transport, self.transport),
            MSGPACK,
            self,
            self.turns,
            self,
            "",
        )
        self.wire.deliver_to(Served.receive, self)

    def receive(self, message: bytes | str) -> None:
        self.messages.append(message)

    def admit_frame(self, peer: Any) -> bool:
        return True

    def leave(self, source: str) -> None:
        self.ends += 1

    def lost(self, peer: Any) -> None:
        self.ends += 1


class Library:
    """The same with the library alone."""

    def __init__(self) -> None:
        self.protocol = ServerProtocol(state=OPEN, max_size=MAX_INBOUND_BYTES)
        self.messages: list[bytes | str] = []
        self.sent: list[bytes] = []
        self.is_closing = False
        self._text = False
        self._parts: list[bytes] = []

    def receive(self, data: bytes) -> None:
        self.protocol.receive_data(data)
        self.sent += self.protocol.data_to_send()
        for frame in self.protocol.events_received():
            assert isinstance(frame, Frame)
            if self.is_closing or frame.opcode not in (BINARY, TEXT, CONT):
                continue
            if frame.opcode is not CONT:
                self._text, self._parts = frame.opcode is TEXT, []
            self._parts.append(bytes(frame.data))
            if frame.fin:
                whole = b"".join(self._parts)
                self.messages.append(whole.decode() if self._text else whole)

    def close(self) -> None:
        if self.protocol.state is OPEN:
            self.is_closing = True
            self.protocol.send_close(CloseCode.RESTART, "later")
            self.sent += self.protocol.data_to_send()


PAYLOADS = st.text(max_size=4).map(str.encode) | st.integers(100, 700).map(bytes)
WHOLE = st.builds(masked, PAYLOADS, st.sampled_from((1, 2)))
CONTROL = st.builds(masked, st.binary(max_size=8), st.sampled_from((9, 10)))
CLOSING = st.builds(
    lambda code, reason: masked(struct.pack("!H", code) + reason, 8),
    st.sampled_from((1000, 1001, 1002, 1005, 4000, 70)),
    st.sampled_from((b"", b"bye", b"\xff")),
)
BAD = st.sampled_from(
    (
        b"\x82\x03abc",  # not masked
        masked(b"abc", 3),  # an opcode that does not exist
        b"\xc2" + masked(b"abc")[1:],  # compressed
        masked(b"x" * 126, 9),  # a long control frame
        masked(b"abc", 0),  # continues nothing, or ends what is open
        masked(b"", 9, fin=False),  # a fragment of a control frame
        masked(bytes(MAX_INBOUND_BYTES + 1))[:20],
        masked(b"", 8),
    )
)


@st.composite
def fragmented(draw: st.DrawFn) -> list[bytes]:
    """A message in fragments, perhaps with control frames between them."""
    parts = draw(st.lists(PAYLOADS, min_size=2, max_size=5))
    frames = [masked(parts[0], draw(st.sampled_from((1, 2))), fin=False)]
    for number, part in enumerate(parts[1:], 2):
        frames += draw(st.lists(CONTROL, max_size=1))
        frames.append(masked(part, 0, fin=number == len(parts)))
    return frames


def flat(groups: list[list[bytes]]) -> list[bytes]:
    return [frame for group in groups for frame in group]


ONE = st.one_of(WHOLE, WHOLE, CONTROL).map(lambda frame: [frame])
ODD = st.one_of(CLOSING, BAD).map(lambda frame: [frame])
GOOD = st.one_of(ONE, fragmented())
FRAMES = st.tuples(
    st.lists(GOOD, max_size=6).map(flat), st.lists(st.one_of(GOOD, ODD), max_size=3).map(flat)
).map(lambda both: both[0] + both[1])
CUTS = st.lists(st.tuples(st.integers(0, 30), st.integers(-3, 3)), max_size=6)


@settings(max_examples=150)
@given(FRAMES, CUTS, st.integers(0, 8))
@example([masked(b"a", fin=False), masked(b"b"), masked(b"c", 0)], [], 8)
@example([masked(b"a"), masked(b"\x03\xe8", 8), masked(b"b")], [(1, 0)], 8)
@example([masked(b"one"), masked(b"two")], [(2, -1)], 8)
def test_any_stream_gives_what_the_library_alone_would_give(
    frames: list[bytes], cuts: list[tuple[int, int]], closes: int
) -> None:
    """The stream is cut near the ends of these frames, so many bytes from there.

    The server begins to close before that many pieces.
    """
    stream = b"".join(frames)
    ends = [sum(map(len, frames[:number])) for number in range(len(frames) + 1)]
    places = {ends[number % len(ends)] + more for number, more in cuts}
    served, library = Served(), Library()
    at = 0
    for number, cut in enumerate([*sorted(places & set(range(len(stream)))), len(stream)]):
        if number == closes:
            served.wire.close(CloseCode.RESTART, "later")
            library.close()
        piece, at = stream[at:cut], cut
        if piece:
            served.wire.data_received(piece)
            served.turns.run()
            library.receive(piece)
        assert served.messages == library.messages
        assert b"".join(served.transport.sent) == b"".join(library.sent)
        assert (b"" in served.transport.sent) == (b"" in library.sent)
        assert served.wire.is_open == (library.protocol.state is OPEN)
        assert served.transport.is_read
    served.wire.connection_lost(None)
    sent, received = library.protocol.close_sent, library.protocol.close_rcvd_then_sent
    assert served.wire.ended_with == (sent.code if sent is not None and not received else 0)
    assert served.ends == 2


def test_the_parser_is_given_up_when_nothing_is_half_way() -> None:
    gc.collect()
    gc.disable()
    try:
        served = Served()
        served.wire.data_received(masked(b"one", fin=False))
        served.turns.run()
        parser = weakref.ref(served.wire._parser)
        assert parser() is not None
        served.wire.data_received(masked(b"two", 0))
        served.turns.run()
        assert served.messages == [b"onetwo"]
        assert parser() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("size", [0, 1, 125, 126, STEP_BYTES - 8])
@pytest.mark.parametrize("opcode", [1, 2])
def test_a_short_frame_is_handled_at_once_and_without_the_library(size: int, opcode: int) -> None:
    served = Served()
    served.wire.data_received(masked(bytes(size), opcode))
    assert served.messages == [bytes(size) if opcode == 2 else "\0" * size]
    assert served.wire._parser is None


def test_several_short_frames_need_no_library_but_a_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served = Served()
    frames = [masked(bytes((number, *bytes(number))), 1 + number % 2) for number in range(40)]
    served.wire.data_received(b"".join(frames))
    assert (served.messages, served.transport.is_read) == ([], False)
    parsers: list[int] = []
    monkeypatch.setattr(Wire, "_make_parser", lambda wire: parsers.append(1))
    served.turns.run()
    assert (len(served.messages), parsers) == (40, [])
    assert served.transport.is_read


@pytest.mark.parametrize(
    "sent",
    [
        masked(b"\xff", 1),  # skips the library
        masked(b"\xff" * 200, 1),  # the same, with a longer header
        masked(b"a", 1) + masked(b"\xff", 1) + masked(b"b", 1),
        masked(b"\xc3", 1, fin=False) + masked(b"a", 0) + masked(b"b", 1),
    ],
)
def test_text_that_is_not_utf8_ends_the_websocket(sent: bytes) -> None:
    served = Served()
    served.wire.data_received(sent)
    served.turns.run()
    served.wire.data_received(masked(b"b", 1))
    served.turns.run()
    assert "b" not in served.messages
    served.wire.connection_lost(None)
    assert served.wire.ended_with == CloseCode.NOT_UTF8


def test_what_follows_the_end_by_the_server_is_ignored_but_for_the_answer() -> None:
    served = Served()

    def receive(served: Served, message: bytes | str) -> None:
        served.receive(message)
        served.wire.close(CloseCode.RESTART, "")

    served.wire.deliver_to(receive, served)
    answer = masked(struct.pack("!H", CloseCode.RESTART), 8)
    served.wire.data_received(masked(b"one") + masked(b"two") + answer)
    served.turns.run()
    assert served.messages == [b"one"]
    assert served.transport.sent[-1] == b""  # the client has answered, so the stream has ended
    served.wire.connection_lost(None)
    assert served.wire.ended_with == CloseCode.RESTART


@pytest.mark.parametrize(
    "end",
    [
        lambda wire: wire.close(CloseCode.RESTART, ""),
        lambda wire: wire.end(CloseCode.ABUSE, ""),
        lambda wire: wire.abort(),
        lambda wire: wire.eof_received(),
        lambda wire: wire.data_received(b"\x82\x00"),  # not masked
    ],
)
def test_a_wire_that_has_ended_sends_nothing(end: Callable[[Wire], None]) -> None:
    served = Served()
    end(served.wire)
    served.turns.run()
    sent = len(served.transport.sent)
    served.wire.write(b"late")
    served.wire.close(CloseCode.ABUSE, "")
    served.wire.end(CloseCode.ABUSE, "")
    assert (served.wire.is_open, len(served.transport.sent)) == (False, sent)
    # A client that does not end its side is disconnected.
    assert len(served.loop.due) == (0 if served.transport.is_aborted else 1)
    for call in served.loop.due:
        call()
    assert served.transport.is_aborted
