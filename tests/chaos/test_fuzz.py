"""A short run of the fuzzers, each time with the same input; the command runs them for longer."""

from __future__ import annotations

import pytest

from doublecross.games.record import parse_records
from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.wire.frames import missing_after
from tests.chaos import fuzz


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_any_bytes_are_read_or_refused(target: str) -> None:
    assert fuzz.run(target, seed=1, times=2_000) == 2_000


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_the_examples_are_correct_input(target: str) -> None:
    """Without correct input the mutations would all fail at the first byte."""
    seeds = fuzz.examples(target)
    assert len(seeds) > 5
    if target == "records":
        for data in seeds:
            assert parse_records(data.decode())
    if target == "codec":
        codec = JsonCodec()
        requests = [data for data in seeds if b'"hello"' in data]
        assert all(codec.decode_request(data.decode()) for data in requests if data[:1] == b"{")
        assert requests
    if target == "frames":
        assert missing_after(seeds[0]) == (0, b"")
