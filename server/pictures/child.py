"""The child process that makes pictures, so that the server's event loop does not wait for them."""

from __future__ import annotations

import base64
import json
import queue
from typing import Any, Final

from games.record import parse_record
from processes.parent import Parent
from processes.system import set_name
from server.pictures.make import make_picture

MOST_BYTES: Final = 2_500_000
"""The most bytes of a picture, as one line to the parent can hold them."""


def main() -> None:
    """Answer orders until the parent closes the input."""
    set_name("pictures")
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    parent = Parent()
    parent.listen(orders.put)
    while True:
        order = json.loads(orders.get())
        parent.send({"number": order["number"], **_answer(order)})


def _answer(order: dict[str, Any]) -> dict[str, str]:
    """Return the picture that `order` describes, or a sentence that says what is wrong."""
    picture = make_picture(
        parse_record(order["record"]),
        order["kind"],
        ply=order["ply"],
        width=order["width"],
        theme=order["theme"],
    )
    if len(picture) > MOST_BYTES:
        return {"problem": "The picture is too large; ask for a smaller size."}
    return {"picture": base64.b64encode(picture).decode()}
