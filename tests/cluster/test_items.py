"""The items that nodes send each other, as bytes."""

from __future__ import annotations

import msgpack
import pytest

from doublecross.server.cluster.items import (
    MalformedItemError,
    Open,
    Reporting,
    Woken,
    pack,
    unpack,
)


def test_items_are_read_as_they_were_written() -> None:
    card = {"opened": {"room": "bbbbxxxxxxxx"}, "seq": 3}
    item = Woken(card)  # type: ignore[arg-type]
    assert unpack(pack(item)) == item
    assert isinstance(unpack(pack(Reporting("bbbb"))), Reporting)
    # A newer version adds fields at the end; an older one leaves those with defaults out.
    assert unpack(msgpack.packb((20, "bbbb", "new"))) == Reporting("bbbb")
    assert unpack(msgpack.packb((2, "r", ()))) == Open("r", (), phrases=True)
    for wrong in ((), (20,), (999, "x"), "x", 20):
        with pytest.raises(MalformedItemError):
            unpack(msgpack.packb(wrong))
    with pytest.raises(MalformedItemError):
        unpack(b"")
