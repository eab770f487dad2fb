"""Show the board of a room live in the terminal: `doublecross watch`."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import FAILED, Problem, out, say
from doublecross.cli.shared.options import Server
from doublecross.cli.shared.parsing import DEFAULT_SERVER
from doublecross.processes.logs import quiet_logs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Group

    from doublecross.client.core.room import RoomMirror
    from doublecross.client.feed import Feed
    from doublecross.client.transport import Client
    from doublecross.games.api import State

_FRAME_S: Final = 0.1
"""Seconds between two updates of the clocks on the screen."""


def watch(
    room: Annotated[
        str | None, typer.Argument(help="The room.", show_default="the first with a match")
    ] = None,
    server: Server = DEFAULT_SERVER,
    code: Annotated[str | None, typer.Option(help="The code of a private room.")] = None,
    stay: Annotated[
        bool, typer.Option("--stay", help="Also watch rematches, until the room closes.")
    ] = False,
) -> None:
    """Watch a room until its match is over.

    A terminal shows the board in place. A pipe gets the board after every move.

    Example: doublecross watch 4fj2k --server 192.168.1.5
    """
    quiet_logs(verbose=False)
    asyncio.run(_watch(room, server, code, stay))


async def _watch(room: str | None, server: str, code: str | None, stay: bool) -> None:
    from doublecross.cli.shared.remote.connection import connected_client

    async with connected_client(server) as client:
        # Before the first request, so that no update is missed.
        feed = client.updates()
        if room is None:
            room = await _some_room(client)
        await client.watch(room, code=code, timeout=20.0)
        watcher = _Watcher(client, room, stay)
        await (watcher.draw(feed) if out().is_terminal else watcher.print(feed))


async def _some_room(client: Client) -> str:
    await client.follow_lobby(timeout=20.0)
    lobby = client.session.lobby
    assert lobby is not None
    for status in ("playing", "waiting", "finished"):
        for room in lobby.rooms.values():
            if room.status == status:
                await client.follow_lobby(on=False, timeout=20.0)
                return room.room
    raise Problem("No room is open on that server.", FAILED)


class _Watcher:
    """Shows one followed room."""

    def __init__(self, client: Client, room: str, stay: bool) -> None:
        self._client = client
        self._room = room
        self._stay = stay
        self._printed: tuple[int, int, str] | None = None
        self._trouble = ""

    @property
    def _mirror(self) -> RoomMirror:
        return self._client.session.rooms[self._room]

    @property
    def _over(self) -> bool:
        status = self._mirror.status
        return status == "closed" or (status == "finished" and not self._stay)

    async def draw(self, feed: Feed) -> None:
        """Redraw the room in place until its match is over."""
        from rich.live import Live

        # The task only notes lost connections. The session applies updates before they arrive here.
        reading = asyncio.create_task(self._read(feed))
        try:
            with Live(
                self._frame(self._mirror.state, ""), console=out(), auto_refresh=False
            ) as live:
                while not self._over and not reading.done():
                    await asyncio.wait({reading}, timeout=_FRAME_S)
                    live.update(self._frame(self._mirror.state, ""), refresh=True)
            if reading.done():
                reading.result()
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def print(self, feed: Feed) -> None:
        """Print the room after each change until its match is over."""
        self._print()
        if self._over:
            return
        async for update in feed:
            self._note(update)
            self._print()
            if self._over:
                return
        raise self._end()

    async def _read(self, feed: Feed) -> None:
        async for update in feed:
            self._note(update)
        raise self._end()

    def _end(self) -> Exception:
        return self._client.ended or Problem("The server has closed the connection.", FAILED)

    def _note(self, update: object) -> None:
        """Remember whether the connection is lost."""
        from doublecross.client.core.updates import ConnectionLost, Reconnected

        if isinstance(update, ConnectionLost):
            self._trouble = f"{update.sentence} Trying again ..."
        elif isinstance(update, Reconnected):
            self._trouble = ""

    def _print(self) -> None:
        mirror = self._mirror
        now = (mirror.match, mirror.state.ply, mirror.status)
        if now == self._printed:
            return
        for state, sentence in self._skipped(mirror):
            out().print(self._frame(state, sentence))
            say()
        self._printed = now
        out().print(self._frame(mirror.state, ""))
        say()

    def _skipped(self, mirror: RoomMirror) -> Iterator[tuple[State, str]]:
        """Yield the positions since the last print before the current one, and their moves.

        Several moves can arrive together.
        """
        if self._printed is None:
            return
        match, ply, _ = self._printed
        since = ply if match == mirror.match else 0
        end = mirror.state
        state = mirror.game.initial_state(end.opening)
        names = self._names(mirror)
        for action in end.history()[:-1]:
            seat = state.current_player()
            state.apply(action)
            if state.ply > since:
                yield state, f"Move {state.ply}: {names[seat]} {mirror.game.action_name(action)}"

    @staticmethod
    def _names(mirror: RoomMirror) -> list[str]:
        return [player.name if player else "(free)" for player in mirror.players]

    def _frame(self, state: State, sentence: str) -> Group:
        """Return the room with one of its positions and a sentence about it.

        An empty sentence stands for what happened last, with the clocks and the expected scores.
        """
        from rich.console import Group
        from rich.text import Text

        from doublecross.cli.shared.board import board_text, seats_text

        mirror = self._mirror
        rated = "rated" if mirror.settings.rated else "casual"
        title = f"Room {self._room}: {mirror.game.title} {mirror.game.size}"
        names = self._names(mirror)
        clocks: Sequence[int | None] = (None, None)
        expected: Sequence[float | None] = (None, None)
        over = not sentence and mirror.status != "playing"
        if not sentence:
            clocks = mirror.clock.remaining_ms(time.monotonic()) or clocks
            expected = mirror.expected
        lines = [
            Text(f"{title}, {mirror.settings.time.text}, {rated}", "bold"),
            seats_text(state, names, clocks, expected, over=over),
            Text(),
            board_text(state),
            Text(),
            Text(sentence or self._status(mirror, names), "bold" if over else ""),
        ]
        if self._trouble:
            lines.append(Text(self._trouble, "bold red"))
        return Group(*lines)

    def _status(self, mirror: RoomMirror, names: list[str]) -> str:
        from doublecross.games.sentences import result_sentence

        if mirror.result is not None:
            result = mirror.result
            scores = mirror.state.scores()
            return result_sentence(names, result.winner, result.termination, scores)
        if mirror.status == "closed":
            return mirror.sentence or "The room is closed."
        if mirror.status == "waiting":
            return "Waiting for somebody to take the free seat."
        move = mirror.last_move
        if move is None and mirror.takebacks:
            return f"Moves were taken back. Move {mirror.state.ply}"
        if move is None:
            return "The match begins." if mirror.state.ply == 0 else f"Move {mirror.state.ply}"
        name = mirror.game.action_name(move.action)
        return f"Move {mirror.state.ply}: {names[move.seat]} {name}"
