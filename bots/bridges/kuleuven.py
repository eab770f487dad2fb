"""Play through an agent of KU Leuven's course Machine Learning Project: `kuleuven:ws://...`.

Such an agent is a server of websockets on this computer, and receives JSON: ``start``, each move as
``action``, and ``end``. It answers a ``start`` as player 1, and an ``action`` after which it is to
move, with its own ``action``. Source: the repository wannesm/dotsandboxes.
"""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from functools import cache
from time import monotonic
from typing import Any, ClassVar, Final
from uuid import uuid4

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from doublecross.bots.api import Bot, BotError, BotFault, Choice, Limit, StopFlag
from doublecross.bots.api.timing import timed
from doublecross.games.api import SEATS, Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes

_ADDRESS: Final = re.compile(
    r"ws://(?:127\.0\.0\.1|\[::1\]|localhost):([0-9]{1,5})(?:/\S*)?", re.ASCII
)
_CONNECT_S: Final = 5.0
_LATE_S: Final = 10.0
"""Seconds that an agent has to answer after its time."""
_CHECK_S: Final = 0.05
_NO_LIMIT_S: Final = 600.0
"""The time limit that an agent is told if it has none."""


class AgentBot(Bot):
    """An agent that listens at `address`."""

    summary = "an agent of KU Leuven's course, over a websocket"
    plays_openings = False
    address: ClassVar[str]

    _socket: ClientConnection | None = None
    _state: State | None = None
    """What the agent has been told."""
    _game_id = ""

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Return whether the game is Dots and Boxes."""
        return isinstance(game, DotsAndBoxes)

    def get_ready(self, game: Game) -> None:
        """Connect to the agent.

        Raises:
            BotError: nothing answers there.
        """
        if self._socket is not None:
            return
        self._open = ExitStack()
        options: dict[str, Any] = {"open_timeout": _CONNECT_S, "close_timeout": 1, "proxy": None}
        try:
            # An agent that thinks answers no ping.
            agent = connect(self.address, ping_interval=None, compression=None, **options)
            self._socket = self._open.enter_context(agent)
        except (OSError, WebSocketException) as error:
            raise BotError(
                f"No agent answers at {self.address} ({error}): start it before the games."
            ) from None

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Return the agent's move.

        Raises:
            BotFault: the game began with an opening, or the agent failed.
        """
        if state.opening:
            raise BotFault("its agent cannot be told an opening: play with --opening-length 0")
        self.get_ready(state.game)
        me, told, answer = state.current_player(), self._state, None
        if told is None or state.history()[: told.ply] != told.history():
            self._state = told = state.game.initial_state()
            self._game_id = uuid4().hex
            time_s = timed(limit, self.moves_to_go(state)).time_s or _NO_LIMIT_S
            grid = [state.game.params["rows"], state.game.params["cols"]]
            self._send({"type": "start", "player": me + 1, "timelimit": time_s, "grid": grid})
            answer = self._receive(stop) if me == 0 else None
        for action in state.history()[told.ply :]:
            mover = told.current_player()
            told.apply(action)
            self._send(
                {
                    "type": "action",
                    "player": mover + 1,
                    "nextplayer": told.current_player() + 1,
                    "score": told.scores(),
                    **_place(state.game, action),
                }
            )
            # After a takeback the moves are told again, and all answers but the last are old.
            answer = self._receive(stop) if told.current_player() == me else None
        found = [edge for edge in state.legal_actions() if _place(state.game, edge) == answer]
        if not found:
            raise BotFault(f"its agent chose {answer}, which is not legal", kind="illegal")
        return Choice(found[0])

    def close(self) -> None:
        """Tell the agent that the game is over; the winner is 0 unless it is certain."""
        if self._socket is None:
            return
        with self._open:
            if self._state is not None:
                scores, boxes = self._state.scores(), len(self._state.owners())
                winner = next((seat + 1 for seat in SEATS if 2 * scores[seat] > boxes), 0)
                self._send({"type": "end", "winner": winner})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._socket is not None
        try:
            self._socket.send(json.dumps({**message, "game": self._game_id}))
        except WebSocketException as error:
            raise BotFault(f"its agent is gone ({error})") from None

    def _receive(self, stop: StopFlag) -> dict[str, Any]:
        """Return the place of the next move that the agent sends."""
        assert self._socket is not None
        end = None
        while end is None or monotonic() < end:
            if end is None and stop.is_set():
                end = monotonic() + _LATE_S
            try:
                text = self._socket.recv(timeout=_CHECK_S)
                message = json.loads(text)
                return {name: message[name] for name in ("location", "orientation")}
            except TimeoutError:
                continue
            except WebSocketException as error:
                raise BotFault(f"its agent is gone ({error})") from None
            except (ValueError, KeyError, TypeError):
                raise BotFault(f"its agent sent {text[:80]!r}", kind="illegal") from None
        raise BotFault(f"its agent did not answer within {_LATE_S:g} s after its time")


@cache
def agent_class(name: str) -> type[Bot]:
    """Return the class of a bot such as ``kuleuven:ws://127.0.0.1:8001``.

    Raises:
        BotError: the address is none of a websocket on this computer.
    """
    address = name.partition(":")[2]
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise BotError(
            f"{address!r} is no agent on this computer; write kuleuven:ws://127.0.0.1:8001."
        )
    return type("Agent", (AgentBot,), {"name": f"kuleuven-{found[1]}", "address": address})


def _place(game: Game, edge: int) -> dict[str, Any]:
    """Return where an edge is: each dot has one to its right (h) and one below (v)."""
    rows, cols = game.params["rows"], game.params["cols"]
    flat = (rows + 1) * cols
    where = divmod(edge, cols) if edge < flat else divmod(edge - flat, cols + 1)
    return {"location": list(where), "orientation": "h" if edge < flat else "v"}
