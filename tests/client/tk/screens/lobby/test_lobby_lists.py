"""The lobby of a scripted server, which refuses requests, and the lobby in a small window."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest

from doublecross.protocol.client_messages import AcceptSeek, FollowLobby
from doublecross.protocol.common import MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import LobbyRoom, LobbySeek, LobbyState
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.lobbying import (
    TINY,
    LobbyStage,
    button,
    entry,
    note,
)
from tests.client.tk.harness.serving import in_thread
from tests.fakes.server import FakeServer, Peer

# -- what the server refuses -------------------------------------------------------------------


class Script:
    """A server whose messages the test sends."""

    def __init__(self, fake: FakeServer, loop: asyncio.AbstractEventLoop) -> None:
        self.url = fake.url
        self._fake = fake
        self._loop = loop
        self._works: list[concurrent.futures.Future[Any]] = []

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Send messages to the client."""
        self._works.append(asyncio.run_coroutine_threadsafe(work, self._loop))

    def close(self) -> None:
        """Stop the server; errors while sending fail the test."""
        for work in self._works:
            if not work.cancel():
                work.result(20)

    def empty(self) -> str:
        """Greet a player with an empty lobby; return the address to join."""
        self.later(self.greet())
        return self.url

    async def greet(self, **more: Any) -> Peer:
        """Accept a player and send the lobby."""
        peer = await self._fake.accept()
        await peer.welcome()
        follow = await peer.next(FollowLobby)
        state: dict[str, Any] = {"players": (), "seeks": (), "rooms": (), **more}
        await peer.send(
            LobbyState(
                id=follow.id,
                **state,
                players_total=len(state["players"]),
                seeks_total=len(state["seeks"]),
                rooms_total=len(state["rooms"]),
            )
        )
        self.peer = peer
        return peer


@pytest.fixture
def script() -> Iterator[Script]:
    with in_thread(FakeServer()) as (fake, loop):
        script = Script(fake, loop)
        yield script
        script.close()


def human(name: str) -> PlayerInfo:
    return PlayerInfo(name=name, kind="human")


def test_an_offer_that_is_gone_meanwhile(lobby: LobbyStage, script: Script, ui: Ui) -> None:
    seek = LobbySeek(seek="s1", player=human("Bob"), settings=TINY, seat=None)
    script.later(script.greet(players=(human("Ann"), human("Bob")), seeks=(seek,)))
    lobby.enter(script.url)

    async def refuse() -> None:
        request = await script.peer.next(AcceptSeek)
        assert request.seek == "s1"
        await script.peer.refuse(request, "unknown_seek", "This seek is not open any more.")

    script.later(refuse())
    ui.mouse.click(entry(lobby, "open"))
    ui.see("This seek is not open any more.")
    assert lobby.games == []
    ui.mouse.click(button(lobby, "close_note"))
    assert note(lobby) == ""


def test_a_game_that_this_program_does_not_know_is_not_joined(
    lobby: LobbyStage, script: Script, ui: Ui
) -> None:
    hex_game = MatchSettings(game="hex", params={"n": 9}, time=TimeControl())
    seek = LobbySeek(seek="s1", player=human("Bob"), settings=hex_game, seat=None)
    room = LobbyRoom(room="r1", settings=hex_game, status="waiting", players=(human("Bob"), None))
    script.later(script.greet(players=(human("Bob"),), seeks=(seek,), rooms=(room,)))
    lobby.enter(script.url)
    for number in (0, 1):
        lobby.screen._show_message("")  # type: ignore[union-attr]
        ui.mouse.click(entry(lobby, "open", number))
        assert note(lobby).startswith("This program cannot show that match: There is no game 'hex'")


def test_a_lobby_that_is_refused_is_asked_for_again_later(
    lobby: LobbyStage, script: Script, ui: Ui
) -> None:
    asked: list[int] = []

    async def refuse() -> None:
        peer = await script._fake.accept()
        await peer.welcome()
        while True:
            request = await peer.next(FollowLobby)
            asked.append(request.id)
            await peer.refuse(request, "too_many", "Too many look on.")

    script.later(refuse())
    lobby.enter(script.url, wait=False)
    ui.see("Too many look on.")
    for _ in range(50):
        ui.update()
    assert len(asked) == 1
