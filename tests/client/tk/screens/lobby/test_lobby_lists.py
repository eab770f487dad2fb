"""The lobby's lists: refusals by a scripted server, hundreds of rows, small windows."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from tkinter import ttk
from typing import Any

import pytest

from doublecross.client.tk.models.snapshots import LobbySnapshot
from doublecross.client.tk.network.thread import ME
from doublecross.protocol.client_messages import AcceptSeek, FollowLobby
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import LobbyRoom, LobbySeek, LobbyState
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.lobbying import (
    TINY,
    USUAL,
    LobbyStage,
    button,
    lines,
    names,
    note,
    show_lists,
    the_list,
    usable,
)
from tests.client.tk.harness.serving import RealServer, in_thread
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
    show_lists(lobby)
    ui.pump(lambda: lines(lobby, "seeks"))

    async def refuse() -> None:
        request = await script.peer.next(AcceptSeek)
        assert request.seek == "s1"
        await script.peer.refuse(request, "unknown_seek", "This seek is not open any more.")

    script.later(refuse())
    ui.mouse.click_row(the_list(lobby, "seeks").tree, "s1", twice=True)
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
    show_lists(lobby)
    ui.pump(lambda: lines(lobby, "seeks") and lines(lobby, "rooms"))
    for name, row in (("seeks", "s1"), ("rooms", "r1")):
        lobby.screen._show_message("")  # type: ignore[union-attr]
        ui.mouse.click_row(the_list(lobby, name).tree, row, twice=True)
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


# -- many --------------------------------------------------------------------------------------


def crowd(count: int) -> dict[str, tuple[Any, ...]]:
    people = [human(f"P{number:03}") for number in range(count)]
    hal = PlayerInfo(name="Hal", kind="bot", engine=EngineInfo(name="mcts", version="1"))
    return {
        "players": (human("Ann"), *people, hal),
        "seeks": tuple(
            LobbySeek(seek=f"s{number}", player=person, settings=TINY, seat=None)
            for number, person in enumerate(people)
        ),
        "rooms": tuple(
            LobbyRoom(room=f"r{number}", settings=USUAL, status="playing", players=(person, hal))
            for number, person in enumerate(people)
        ),
    }


def snapshot(crowd: dict[str, tuple[Any, ...]]) -> LobbySnapshot:
    return LobbySnapshot(who=ME, stale=False, **crowd)


class Counted:
    """Count the calls that change a tree."""

    def __init__(self, tree: ttk.Treeview) -> None:
        self.calls: list[str] = []
        for name in ("insert", "delete", "move", "item"):
            setattr(tree, name, self._counting(name, getattr(tree, name)))

    def _counting(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            self.calls.append(name)
            return real(*args, **more)

        return call


def test_what_is_chosen_and_in_sight_stays_so_while_others_come_and_go(
    lobby: LobbyStage, server: RealServer, ui: Ui
) -> None:
    screen = lobby.enter(server.url)
    show_lists(lobby)
    ui.pump(lambda: screen.follower.following)
    latest, all_of_it = lobby.context.latest, crowd(200)
    latest.lobby = snapshot(all_of_it)
    screen.take(latest.lobby)
    ui.settle()
    tree = the_list(lobby, "rooms").tree
    tree.see("r150")
    tree.yview("scroll", 2, "units")
    ui.settle()
    ui.mouse.click_row(tree, "r150")
    top = tree.identify_row(40)
    assert top
    # Rows above are removed, one that waits moves to the top, one below is over.
    rooms = [room for room in all_of_it["rooms"] if room.room not in ("r3", "r7", top)]
    rooms.append(
        LobbyRoom(room="new", settings=TINY, status="waiting", players=(human("P1"), None))
    )
    rooms[100] = rooms[100].model_copy(update={"status": "finished"})
    below = tree.next(top)
    latest.lobby = snapshot({**all_of_it, "rooms": tuple(rooms)})
    counted = Counted(tree)
    screen.take(latest.lobby)
    ui.settle()
    assert tree.selection() == ("r150",)
    assert tree.identify_row(40) == below  # the top row is gone and the next one replaces it
    assert tree.get_children()[0] == "new"
    assert tree.get_children()[-1] == rooms[100].room
    assert len(counted.calls) <= 5
    assert button(lobby, "enter").cget("text") == "Watch"
    # The chosen row moves.
    rooms = [
        room.model_copy(update={"status": "finished"}) if room.room == "r150" else room
        for room in rooms
    ]
    latest.lobby = snapshot({**all_of_it, "rooms": tuple(rooms)})
    screen.take(latest.lobby)
    ui.settle()
    assert tree.index("r150") >= 197
    assert tree.selection() == ("r150",)
    # The chosen row is removed.
    counted.calls.clear()
    rooms = [room for room in rooms if room.room != "r150"]
    latest.lobby = snapshot({**all_of_it, "rooms": tuple(rooms)})
    screen.take(latest.lobby)
    ui.settle()
    assert tree.selection() == ()
    assert not usable(lobby, "enter")
    assert counted.calls == ["delete"]


def test_a_snapshot_with_nothing_new_touches_no_line(
    lobby: LobbyStage, server: RealServer, ui: Ui
) -> None:
    screen = lobby.enter(server.url)
    ui.pump(lambda: screen.follower.following)
    lobby.context.latest.lobby = snapshot(crowd(200))
    screen.take(lobby.context.latest.lobby)
    counted = [Counted(the_list(lobby, name).tree) for name in ("players", "seeks", "rooms")]
    screen.take(lobby.context.latest.lobby)
    assert [each.calls for each in counted] == [[], [], []]


# -- how it looks ------------------------------------------------------------------------------


def test_one_list_at_a_time_in_a_small_window(ui: Ui, tmp_path: Path, server: RealServer) -> None:
    stage = LobbyStage(ui, tmp_path / "home", "640x480+0+0")
    try:
        stage.enter(server.url)
        show_lists(stage)
        ui.pump(lambda: names(stage) == ["Ann (you)"])
        assert the_list(stage, "players").winfo_viewable()
        assert not the_list(stage, "rooms").winfo_viewable()
        ui.mouse.click(find(stage.root, "Games 0"))
        ui.settle()
        assert the_list(stage, "rooms").winfo_viewable()
        assert not the_list(stage, "players").winfo_viewable()
        stage.root.geometry("1024x720")
        ui.pump(lambda: the_list(stage, "players").winfo_viewable())
        ui.pump(lambda: the_list(stage, "seeks").winfo_viewable())
        assert the_list(stage, "rooms").winfo_viewable()
    finally:
        stage.close()


@pytest.mark.parametrize("size", ["1024x720", "640x480"])
def test_everything_stays_inside_of_the_window(
    ui: Ui, tmp_path: Path, server: RealServer, size: str
) -> None:
    stage = LobbyStage(ui, tmp_path / "home", f"{size}+0+0")
    try:
        screen = stage.enter(server.url)
        ui.pump(lambda: screen.follower.following)
        screen._show_message(
            "Something has happened that takes a rather long sentence to explain to you."
        )
        ui.settle()
        width, height = stage.root.winfo_width(), stage.root.winfo_height()
        for name in (
            *("quick", "bot", "create", "join", "hot_seat", "wall", "learn", "puzzles"),
            *("open_tournaments", "show_lists", "open_record", "history", "leave"),
        ):
            each = button(stage, name)
            assert each.winfo_viewable()
            assert each.winfo_rootx() + each.winfo_width() <= stage.root.winfo_rootx() + width
            assert each.winfo_rooty() + each.winfo_height() <= stage.root.winfo_rooty() + height
            assert each.winfo_width() >= each.winfo_reqwidth()
        show_lists(stage)
        assert the_list(stage, "players").tree.winfo_height() > 60
    finally:
        stage.close()
