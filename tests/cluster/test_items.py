"""The items that nodes send each other, as bytes."""

from __future__ import annotations

import asyncio
from typing import Any

import msgpack
import pytest

from doublecross.server.cluster.items import Open, Reporting, Woken, item_of, pack
from doublecross.server.cluster.network import Network
from tests.cluster.network import Links, MemoryNetwork


def test_items_are_read_as_they_were_written() -> None:
    card = {"opened": {"room": "bbbbxxxxxxxx"}, "seq": 3}
    item = Woken(card)  # type: ignore[arg-type]
    assert item_of(msgpack.unpackb(pack(item))) == item
    assert isinstance(item_of(msgpack.unpackb(pack(Reporting("bbbb")))), Reporting)
    # A newer version adds fields at the end; an older one leaves those with defaults out.
    assert item_of((20, "bbbb", "new")) == Reporting("bbbb")
    assert item_of((2, "r", ())) == Open("r", (), phrases=True)
    for wrong in ((), (20,), (999, "x"), "x", 20):
        with pytest.raises((ValueError, TypeError, KeyError)):
            item_of(wrong)  # type: ignore[arg-type]


async def test_an_item_to_the_own_run_that_fails_does_not_take_others_with_it() -> None:
    """No link is reset then, so nobody would send them again."""
    network = Network(Links(MemoryNetwork(), "own"))  # type: ignore[arg-type]
    took: list[int] = []

    def take(run: str, fields: tuple[Any, ...]) -> None:
        if not fields:
            raise KeyError("a bug")
        took.extend(fields)

    network.on_item = take
    for item in ([1], [], [2], [], [3]):
        network.send("own", msgpack.packb(item))
    await asyncio.sleep(0)
    assert took == [1, 2, 3]
