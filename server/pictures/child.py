"""The child process that makes pictures, so that the server's event loop does not wait for them."""

from __future__ import annotations

import base64
import json
import queue
import signal
import sys
from typing import Any, Final

from doublecross.games.record import parse_record
from doublecross.processes.parent import Parent
from doublecross.processes.system import set_name
from doublecross.server.pictures.make import make_card, make_picture

MOST_BYTES: Final = 2_500_000
"""The most bytes of a picture; one line to the parent cannot hold more."""


def main() -> None:
    """Answer orders until the parent closes the input."""
    set_name("pictures")
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    parent = Parent()
    parent.listen(orders.put)
    while True:
        order = json.loads(orders.get())
        _allow_cpu(order["cpu_s"])
        answer = _answer(order)
        _allow_cpu(0)
        parent.send({"number": order["number"], **answer})


def _allow_cpu(seconds: float) -> None:
    """Let the system end this process after this much processor time; 0 means no limit.

    Windows cannot do that; there the parent's deadline must suffice.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _answer(order: dict[str, Any]) -> dict[str, str]:
    """Return the picture that `order` describes, or a sentence that says what is wrong."""
    record = parse_record(order["record"])
    if order["card"] is not None:
        picture = make_card(record, *order["card"], swaps=order["swaps"])
    else:
        picture = make_picture(
            record,
            order["kind"],
            ply=order["ply"],
            width=order["width"],
            theme=order["theme"],
        )
    if len(picture) > MOST_BYTES:
        return {"problem": "The picture is too large; ask for a smaller size."}
    return {"picture": base64.b64encode(picture).decode()}
