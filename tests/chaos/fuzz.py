"""Feed bytes to everything that reads what strangers send: codecs, frames and records.

Each target accepts any bytes, and fails on an error that its reader does not announce or on an
answer that contradicts itself. The tests mutate correct input by a seed, and the command
`python -m tests.chaos fuzz` does so for longer. Where the package atheris is installed, the option
`--coverage` lets it choose the input.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import msgpack

from doublecross.games.api import GameError
from doublecross.games.record import Record, RecordedMove, format_records, parse_records
from doublecross.games.registry import make_game
from doublecross.protocol.codec import Codec, JsonCodec, MsgpackCodec
from doublecross.protocol.errors import DecodeError
from doublecross.protocol.version import MAX_INBOUND_BYTES
from doublecross.server.shell.wire.frames import framed, missing_after

ROOT: Final = Path(__file__).resolve().parents[2]
SESSION: Final = "docs/example-session.jsonl"
CODECS: Final = (MsgpackCodec(), JsonCodec())


def codec(data: bytes) -> None:
    """Decode as a server and as a client; encode what was valid and decode it again."""
    for each in CODECS:
        _codec(each, data)


def _codec(each: Codec, raw: bytes) -> None:
    data = raw.decode(errors="replace") if each.text else raw
    refused = ""
    try:
        request = each.decode_request(data)
    except DecodeError as error:
        refused = error.sentence
    if refused:
        assert len(refused) < 1000
        assert refused.isprintable()
    else:
        again = each.encode(request)
        assert each.decode_request(again.decode() if each.text else again) == request
    with contextlib.suppress(DecodeError):
        answer = each.decode_server(data)
        if answer is not None:
            assert each.decode_server(each.encode(answer)) is not None


def frames(data: bytes) -> None:
    """Count the missing bytes of frames; a cut anywhere must not change the count."""
    whole = missing_after(data)
    for cut in {0, 1, len(data) // 3, len(data) // 2, len(data)}:
        assert missing_after(data[cut:], *missing_after(data[:cut])) == whole


def records(data: bytes) -> None:
    """Read a file of records; what was read must be written and read again as the same."""
    with contextlib.suppress(GameError):
        found = parse_records(data.decode(errors="replace"))
        assert parse_records(format_records(found)) == found


Target = Callable[[bytes], None]
TARGETS: Final[Mapping[str, Target]] = {"codec": codec, "frames": frames, "records": records}


def examples(target: str) -> list[bytes]:
    """Return correct input of this target."""
    if target == "records":
        return list(map(str.encode, _records()))
    # Tokens and ids of the documented session are placeholders.
    session = re.sub("<[^<>]*>", "token-0123456789", (ROOT / SESSION).read_text("utf-8"))
    lines = map(json.loads, session.splitlines())
    says = [line.get("says") or line.get("hears") for line in lines if "who" in line]
    if target == "codec":
        packed = [msgpack.packb(message) for message in says]
        return [*packed, *(json.dumps(message).encode() for message in says)]
    masked = [_masked(msgpack.packb(message)) for message in says]
    return [*masked, b"".join(masked[:5]), *(framed(piece, True) for piece in masked[:3])]


def mutated(seeds: list[bytes], rng: Random) -> Iterator[bytes]:
    """Return input without end, made of the seeds by small changes."""
    while True:
        data = bytearray(rng.choice(seeds))
        if data[:1] == b"{" and rng.random() < 0.8:
            yield _with_other_values(bytes(data), rng)
            continue
        for _ in range(rng.choice((0, 1, 1, 2, 4, 16))):
            _change(data, seeds, rng)
        yield bytes(data[:MAX_INBOUND_BYTES])


def run(target: str, seed: int, seconds: float = 0.0, times: int = 0) -> int:
    """Feed mutated input for so long, or so often; return how often it was."""
    source, feed = mutated(examples(target), Random(seed)), TARGETS[target]
    until, done = time.monotonic() + seconds, 0
    while done < times or time.monotonic() < until:
        data = next(source)
        try:
            feed(data)
        except Exception as error:
            error.add_note(f"input of {target}: {data!r}")
            raise
        done += 1
    return done


def _with_other_values(data: bytes, rng: Random) -> bytes:
    """Return a message with a few other values and fields, in one of the two encodings."""
    message = json.loads(data)
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        place = message
        while True:
            key = rng.choice([*place, "extra"])
            if not isinstance(place.get(key), dict) or not place[key] or rng.random() < 0.3:
                break
            place = place[key]
        if rng.random() < 0.2:
            place.pop(key, None)
        else:
            place[key] = rng.choice(_VALUES)
    return msgpack.packb(message) if rng.random() < 0.5 else json.dumps(message).encode()


_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, 0, 1, -1, 2**53, 2**53 - 1, 2**63 - 1, 0.5, float("inf"), float("nan")),
    *("", "a", "Ann", "x" * 33, "\u202e", "\ud800".encode("utf-8", "replace").decode(), "r1", "1"),
    *([], [0], [[[]]], list(range(257)), {}, {"rows": 1}, {"a": {"b": {"c": {}}}}),
)


def _change(data: bytearray, seeds: list[bytes], rng: Random) -> None:
    at = rng.randrange(len(data) + 1)
    match rng.randrange(6):
        case 0:
            data[at:at] = rng.randbytes(rng.randrange(1, 9))
        case 1:
            del data[at : at + rng.randrange(1, 9)]
        case 2 if at < len(data):
            data[at] = rng.choice((0, 1, 0x7F, 0x80, 0xC1, 0xFF, rng.randrange(256)))
        case 3:
            other = rng.choice(seeds)
            start = rng.randrange(len(other))
            data[at:at] = other[start : start + rng.randrange(1, 64)]
        case 4:
            piece = data[at : at + rng.randrange(1, 32)]
            data[at:at] = piece * rng.choice((1, 2, 50))
        case _:
            data[at:at] = rng.choice(_AWKWARD)


_AWKWARD: Final = tuple(
    text.encode()
    for text in (
        *("\u202e", "\u2028", "\x85", "\ufeff", "\x00", "\U0010ffff", "9" * 30, "[" * 40, '"' * 5),
        *("1e999", "NaN", "-1", "\r\n", "{0.000}", "1. ", "\\"),
    )
)


def _records() -> list[str]:
    found = []
    for key in ("dots-and-boxes", "tic-tac-toe", "nim", "connect-four"):
        game, rng = make_game(key), Random(1)
        state, moves = game.initial_state(), list[RecordedMove]()
        while not state.is_terminal():
            moves.append(RecordedMove(rng.choice(state.legal_actions()), 1000 * len(moves)))
            state.apply(moves[-1].action)
        record: dict[str, Any] = {"date": "2026-01-01T00:00:00Z", "time_control": "60+1"}
        found.append(format_records([Record(game, ("Ann", "Bob"), tuple(moves), **record)]))
        found.append(format_records([Record(game, ("Ann", "Bob"), tuple(moves[:2]))]))
    return found


def _masked(payload: bytes) -> bytes:
    size = len(payload)
    length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return b"\x82" + length + bytes(4) + payload
