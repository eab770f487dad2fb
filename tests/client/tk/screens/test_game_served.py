"""Play in a room of a real server against other connections."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tkinter import ttk
from typing import Any

import pytest

from doublecross.client.tk.models.snapshots import RoomSnapshot
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.screens.room.screen import RoomScreen
from tests.client.tk.harness.driver import Mouse, Ui
from tests.client.tk.harness.inspecting import find, find_all, shown_texts
from tests.client.tk.harness.lobbying import Company, LobbyStage, company
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.models.rooms import settings

Pump = Callable[..., Any]


@pytest.fixture
def ann(ui: Ui, server: RealServer, tmp_path: Path) -> Iterator[LobbyStage]:
    """Return Ann's window, connected to the server."""
    stage = LobbyStage(ui, tmp_path / "home")
    stage.enter(server.url)
    yield stage
    stage.close()


def game(stage: LobbyStage, room: str) -> RoomScreen:
    """Show a room and return its screen once it has its first state."""
    screen = stage.show(lambda context: RoomScreen(context, room))
    assert isinstance(screen, RoomScreen)
    stage.windows.pump(lambda: screen.model is not None, what="the room is there")
    return screen


def against(stage: LobbyStage, others: Company, size: str = "2x2", **more: Any) -> RoomScreen:
    """Begin a match of Ann, who moves first, against Bob; return Ann's screen."""
    what = settings(size, "unlimited", **more)
    room = others.ask("Bob", lambda client: client.create_room(what, seat=1)).room
    stage.context.network.ask(ME, lambda client: client.join(room))
    screen = game(stage, room)
    stage.windows.pump(lambda: screen.playing, what="the match has begun")
    return screen


def click(screen: RoomScreen, mouse: Mouse, name: str) -> None:
    assert screen.model is not None
    assert screen.view is not None
    mouse.click_action(screen.view.board, screen.model.snapshot.game.parse_action(name))


def confirmed(screen: RoomScreen, count: int) -> bool:
    """Return whether the server has confirmed exactly the `count` moves that are shown."""
    assert screen.model is not None
    return len(screen.model.snapshot.moves) == count and not screen.model.position.pending


def reply(screen: RoomScreen, others: Company, pump: Pump, name: str) -> None:
    """Let Bob move once he has received all moves; wait until it is Ann's turn."""
    model, room = screen.model, screen.room
    assert model is not None
    count, bob = len(model.snapshot.moves), others.client("Bob").session
    pump(lambda: bob.rooms[room].state.ply == count, what="Bob has all moves")
    action = model.snapshot.game.parse_action(name)
    others.ask("Bob", lambda client: client.move(room, action))
    pump(lambda: model.my_turn or model.ending)


def test_a_match_its_rematch_and_its_record(ann: LobbyStage, others: Company, ui: Ui) -> None:
    others.connect("Bob")
    screen = against(ann, others, "1x2")
    model = screen.model
    assert model is not None
    room = screen.room
    click(screen, ui.mouse, "b1")
    ui.pump(lambda: confirmed(screen, 1))
    reply(screen, others, ui.pump, "d1")
    click(screen, ui.mouse, "b3")
    ui.pump(lambda: confirmed(screen, 3))
    reply(screen, others, ui.pump, "a2")
    for name in ("c2", "d3"):  # a box, and the turn goes on
        click(screen, ui.mouse, name)
    ui.pump(lambda: confirmed(screen, 6))
    reply(screen, others, ui.pump, "e2")
    assert model.ending is not None
    assert (model.ending.headline, model.ending.score) == ("Draw", "1 : 1")

    ui.mouse.click(find(ann.root, "Review"))
    ui.pump(lambda: ann.went)
    where, record, title = ann.went[0]
    assert (where, title) == ("review", "Ann – Bob")
    assert [move.action for move in record.moves] == list(model.snapshot.moves)

    screen = game(ann, room)
    model = screen.model
    assert model is not None
    ui.mouse.click(find(ann.root, "Rematch"))
    ui.see("Withdraw")
    others.ask("Bob", lambda client: client.rematch(room))
    ui.pump(lambda: model.snapshot.match == 2)
    assert model.seats.connections == {1: ME}
    ui.mouse.click(find(ann.root, name="resign"))
    ui.mouse.click(find(ann.root, name="confirm"))
    ui.pump(lambda: model.ending is not None and model.ending.why == "You resigned")
    others.ask("Bob", lambda client: client.leave(room))
    ui.see("Your opponent has left.")
    ui.mouse.click(find(ann.root, "Back to lobby"))
    ui.pump(lambda: ann.gone == [room])
    assert ann.went[-1] == ("lobby",)


def test_two_at_one_window_on_a_real_server(ann: LobbyStage, server: RealServer, ui: Ui) -> None:
    failed: list[str] = []
    came: list[bool] = []
    ann.connect_guest("Bob", lambda: came.append(True), failed.append)
    ui.pump(lambda: came or failed)
    assert not failed
    made: list[str] = []
    ann.context.network.ask(
        ME,
        lambda client: client.create_room(settings("2x2"), seat=0, private=True),
        lambda state: ann.context.network.ask(
            GUEST,
            lambda client: client.join(state.room, code=state.code),
            lambda joined: made.append(joined.room),
        ),
    )
    ui.pump(lambda: made)
    screen = game(ann, made[0])
    ui.pump(lambda: screen.model is not None and screen.model.seats.shared)
    model = screen.model
    assert model is not None
    for name in ("b1", "b3", "b5", "d1", "d3", "d5"):  # as fast as one can
        click(screen, ui.mouse, name)
    ui.pump(lambda: confirmed(screen, 6))
    assert model.to_move == 0
    # The mover has to take back the other one's move as well, and both agree at once.
    ui.keyboard.press("ctrl+z")
    ui.pump(lambda: confirmed(screen, 5) and model.to_move == 1)
    click(screen, ui.mouse, "d5")
    ui.pump(lambda: confirmed(screen, 6))
    for name in ("a2", "a4", "c2", "e2", "c4", "e4"):
        click(screen, ui.mouse, name)
    ui.pump(lambda: model.ending)
    ui.mouse.click(find(ann.root, "Rematch"))
    ui.pump(lambda: model.snapshot.match == 2 and model.seats.shared)
    assert model.seats.connections == {0: GUEST, 1: ME}
    # Bob moves first now, and keeps his colour: on the board, in the panel, and in the result.
    red, blue = ann.context.colours.strokes
    assert screen.view is not None
    style = ttk.Style(ann.root)
    players = [find(find(screen.view, name=f"seat{seat}"), name="player") for seat in (0, 1)]
    shown = [style.lookup(str(label.cget("style")), "foreground") for label in players]
    assert [str(colour) for colour in shown] == [blue, red]
    ui.mouse.click(find(ann.root, name="resign"))
    ui.mouse.click(find(ann.root, "Bob resigns"))
    ui.see("Ann won")
    ui.mouse.click(find(ann.root, "Back to lobby"))
    ui.pump(lambda: ann.gone.count(made[0]) >= 1)


def test_moves_are_taken_back(ann: LobbyStage, others: Company, ui: Ui) -> None:
    others.connect("Bob")
    screen = against(ann, others)
    room, model = screen.room, screen.model
    assert model is not None
    button = find(ann.root, name="take_back")
    assert button.instate(["disabled"])
    click(screen, ui.mouse, "b1")
    ui.pump(lambda: confirmed(screen, 1))
    reply(screen, others, ui.pump, "b3")
    ui.mouse.click(find(ann.root, "Take back"))
    ui.see("Waiting for Bob to agree to the takeback.")
    ui.mouse.click(find(ann.root, "Withdraw"))
    ui.pump(lambda: model.snapshot.takeback is None)
    assert "did not agree" not in "".join(shown_texts(ann.root))
    click(screen, ui.mouse, "d1")
    ui.pump(lambda: confirmed(screen, 3))
    reply(screen, others, ui.pump, "d3")
    ui.mouse.click(find(ann.root, "Take back"))
    ui.see("Waiting for Bob")
    others.ask("Bob", lambda client: client.answer_takeback(room, 1, 2, 0, False))
    ui.see("Bob did not agree to the takeback.")
    click(screen, ui.mouse, "d5")
    ui.pump(lambda: confirmed(screen, 5))
    # Now Bob wants his last move back, and what followed.
    others.ask("Bob", lambda client: client.ask_takeback(room, 1, 3, 0))
    ui.see("Bob asks to take back the last 2 moves.")
    ui.mouse.click(find(ann.root, "Decline"))
    ui.see("Bob is to move.")
    bob = others.client("Bob")
    ui.pump(lambda: bob.session.rooms[room].takeback is None)
    others.ask("Bob", lambda client: client.move(room, model.snapshot.game.parse_action("b5")))
    ui.pump(lambda: model.my_turn)
    others.ask("Bob", lambda client: client.ask_takeback(room, 1, 5, 0))
    ui.see("Bob asks to take back the last move.")
    ui.mouse.click(find(ann.root, "Accept"))
    ui.pump(lambda: model.snapshot.takebacks == 1)
    assert confirmed(screen, 5)
    ui.see("Bob is to move.")
    assert find(ann.root, name="take_back").instate(["!disabled"])
    ui.mouse.click(find(ann.root, "Take back"))
    ui.see("Waiting for Bob")
    others.ask("Bob", lambda client: client.answer_takeback(room, 1, 4, 1, True))
    ui.pump(lambda: model.snapshot.takebacks == 2 and model.my_turn)
    click(screen, ui.mouse, "a2")  # the same ply again, with another action
    ui.pump(lambda: confirmed(screen, 5))


def test_a_win_is_claimed(ui: Ui, serve: Callable[..., RealServer], tmp_path: Path) -> None:
    server = serve(grace_s=0.3)
    stage = LobbyStage(ui, tmp_path / "home")
    try:
        stage.enter(server.url)
        with company(server.url) as others:
            others.connect("Bob")
            screen = against(stage, others)
            others.disconnect("Bob")
            ui.pump(lambda: find(stage.root, "Claim the win").instate(["!disabled"]))
            ui.mouse.click(find(stage.root, "Claim the win"))
            ui.see("Bob stayed away")
            assert screen.model is not None
            assert screen.model.ending is not None
            assert screen.model.ending.headline == "You won"
    finally:
        stage.close()


def test_a_watcher_follows_a_rematch(ann: LobbyStage, others: Company, ui: Ui) -> None:
    for name in ("Bob", "Carl"):
        others.connect(name)
    what = settings("1x1", "unlimited")
    room = others.ask("Bob", lambda client: client.create_room(what, seat=0)).room
    others.ask("Carl", lambda client: client.join(room))
    ann.context.network.ask(ME, lambda client: client.watch(room))
    screen = game(ann, room)
    model = screen.model
    assert model is not None
    ui.see("you are watching")
    for ply, player in enumerate(("Bob", "Carl", "Bob", "Carl")):
        others.ask(player, lambda client, ply=ply: client.move(room, ply, match=1, ply=ply))
    ui.see("Carl won")
    others.ask("Bob", lambda client: client.rematch(room))
    others.ask("Carl", lambda client: client.rematch(room))
    ui.pump(lambda: model.snapshot.match == 2)
    snapshot: RoomSnapshot = model.snapshot
    assert [player.name for player in snapshot.players if player is not None] == ["Carl", "Bob"]
    assert not find_all(ann.root, name="ending")


def test_a_rated_match_says_what_the_rating_is_now(
    ann: LobbyStage, others: Company, ui: Ui
) -> None:
    others.connect("Bob")
    screen = against(ann, others, rated=True)
    room, model = screen.room, screen.model
    assert model is not None
    ui.see("no clock · rated")
    ann.context.network.ask(ME, lambda client: client.move(room, 0))
    ui.pump(lambda: confirmed(screen, 1))
    reply(screen, others, ui.pump, "d1")
    others.ask("Bob", lambda client: client.resign(room))
    ui.see("Your first rating: 1662?.")
    others.ask("Bob", lambda client: client.rematch(room))
    ann.context.network.ask(ME, lambda client: client.rematch(room))
    ui.pump(lambda: model.snapshot.match == 2)
    reply(screen, others, ui.pump, "d1")
    ann.context.network.ask(ME, lambda client: client.move(room, 0))
    ui.pump(lambda: confirmed(screen, 2))
    ann.context.network.ask(ME, lambda client: client.resign(room))
    ui.see("Your rating: 1433? (-229).")
