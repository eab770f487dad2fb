"""Carry out requests of peers, so that each of them gets exactly one answer.

- A request that the rules of the game or of the room forbid is answered with its own code.
- A bug of the server is logged and answered with `internal`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from structlog.contextvars import bind_contextvars

from doublecross.protocol.client_messages import Request
from doublecross.protocol.errors import ErrorCode
from doublecross.server.background import BackgroundTasks
from doublecross.server.core.errors import Refused
from doublecross.server.shell.peer import Peer

BoundHandler = Callable[[Peer, Any], Awaitable[None] | None]
"""Answers a request of a peer, at once or after a commit, or returns a coroutine that does."""

SECOND_HELLO: Final = "Send hello only once, as the first message."
INTERNAL_ERROR: Final = "Something went wrong in the server; its log has the details."
_IDS: Final = ("room", "match", "tournament", "game_id")
"""The fields of requests that a line of the log repeats."""

_log = structlog.get_logger("connection")


def carry_out(
    handler: BoundHandler | None, peer: Peer, message: Request, tasks: BackgroundTasks
) -> None:
    """Carry out a request that was admitted; without a handler it is a second hello.

    If the handler returns a coroutine, one of `tasks` finishes it.
    """
    try:
        if handler is None:
            raise Refused(ErrorCode.HELLO_FIRST, SECOND_HELLO)
        if peer.is_limited:
            assert peer.player is not None
            peer.rights.check(type(message), peer.player.kind)
        waiting = handler(peer, message)
    except Exception as error:  # noqa: BLE001 - every request gets an answer
        _answer_failure(peer, message, error)
        return
    if waiting is not None:
        peer.waiting += 1
        tasks.start(_finish(peer, message, waiting))


async def _finish(peer: Peer, message: Request, waiting: Awaitable[None]) -> None:
    """Await a handler that is a coroutine, and answer for it if it fails."""
    bind_contextvars(**_facts(peer, message))
    try:
        await waiting
    except Exception as error:  # noqa: BLE001 - every request gets an answer
        _answer_failure(peer, message, error)
    finally:
        peer.waiting -= 1


def _answer_failure(peer: Peer, message: Request, error: Exception) -> None:
    """Answer a request that was refused, or that failed by a bug, which is logged."""
    if isinstance(error, Refused):
        peer.refuse(message.id, error.code, error.sentence)
        _log.debug("refused", code=error.code.value, **_facts(peer, message))
        return
    _log.error("handler_failed", client=peer.client, exc_info=error, **_facts(peer, message))
    peer.refuse(message.id, ErrorCode.INTERNAL, INTERNAL_ERROR)


def _facts(peer: Peer, message: Request) -> dict[str, Any]:
    """Return what identifies a request in the log; never what is in it, which may be secret."""
    facts = {**peer.facts(), "message": type(message).__name__}
    for name in _IDS:
        found = getattr(message, name, None)
        if found is not None:
            facts[name.removesuffix("_id")] = found
    return facts
