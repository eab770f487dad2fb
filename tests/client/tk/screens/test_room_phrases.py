"""Say phrases in a room with a scripted server, hear those of the opponent, and mute them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from doublecross.client.tk.models.room.phrases import SHOWN_S
from doublecross.client.tk.models.snapshots import LinkSnapshot, SaidPhrase
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.widgets.settings import SettingsRow
from tests.client.tk.harness.driver import Keyboard, Mouse, Ui
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.tables import Table
from tests.client.tk.models.rooms import ROBO, SeenRoom
from tests.fakes.rooms import ANN

Sit = Callable[..., Table]


def pick(table: Table, label: str) -> None:
    table.mouse.pick(find(table.stage.root, name="phrases"), label)


def hear(table: Table, seat: int, phrase: str) -> None:
    table.screen.take(SaidPhrase(ME, table.room.room, seat, phrase))
    table.tick()


def lines(table: Table) -> tuple[str, str]:
    return table.says("about", "seat0"), table.says("about", "seat1")


def test_phrases_are_said_heard_and_muted(sit: Sit) -> None:
    table = sit()
    pick(table, "Good luck!")
    asked = table.last("say")
    assert asked.args == (table.room.room, 1, "good_luck")
    hear(table, 0, "good_luck")
    hear(table, 1, "thanks")
    assert lines(table) == ("Good luck!", "Thank you!")
    table.tick(SHOWN_S)
    assert lines(table) == ("you", "")
    pick(table, "Oops!")
    sentence = "You have said 5 phrases in a minute. Say the next one in 9 seconds."
    table.last("say").failed(Refusal(sentence, "rate_limited"))
    table.settle()
    assert table.status == sentence
    table.stage.context.latest.link = LinkSnapshot(ME, "lost")
    pick(table, "Hello!")
    assert table.status == "There is no connection now. Say it again when it is back."
    assert table.asked == ["say", "say"]
    table.stage.context.latest.link = LinkSnapshot(ME, "connected")
    hear(table, 1, "hello")
    pick(table, "Mute phrases in this room")
    table.tick()
    hear(table, 1, "oops")
    assert lines(table) == ("you", "")
    assert table.stage.context.mutes_phrases(table.room.room)
    assert not table.stage.context.mutes_phrases("another room")
    pick(table, "Mute phrases in this room")
    hear(table, 1, "oops")
    assert lines(table)[1] == "Oops!"
    # The seats change with the next match, so the phrase would be on the wrong side.
    table.room.end()
    table.room.start()
    table.put()
    table.tick()
    assert "Oops!" not in lines(table)
    # Another person's phrase to somebody else is not for this room.
    table.screen.take(SaidPhrase(ME, "r9", 1, "hello"))
    table.tick()
    assert "Hello!" not in lines(table)


def test_the_menu_opens_by_keys(sit: Sit, ui: Ui) -> None:
    table = sit()
    button: Any = find(table.stage.root, name="phrases")
    button.focus_force()
    keyboard = Keyboard(ui)
    keyboard.press("Return")
    menu = button.nametowidget(button.cget("menu"))
    ui.pump(menu.winfo_viewable, what="the menu is open")
    keyboard.press("Down", "Return")
    ui.pump(lambda: table.asked == ["say"], what="a phrase is said")


def test_there_are_no_phrases_with_bots_and_none_to_say_for_spectators(sit: Sit) -> None:
    table = sit(SeenRoom(players=(ANN, ROBO)))
    assert not table.there("phrases")
    table.close()
    table = sit(SeenRoom(me="Zoe"))
    button: Any = find(table.stage.root, name="phrases")
    menu = button.nametowidget(button.cget("menu"))
    assert menu.entrycget("Hello!", "state") == "disabled"
    hear(table, 1, "hello")
    assert lines(table)[1] == "Hello!"
    pick(table, "Mute phrases in this room")
    hear(table, 1, "oops")
    assert lines(table)[1] == ""


def test_the_setting_is_kept_and_holds_for_each_room(sit: Sit, stage: Stage, ui: Ui) -> None:
    row = SettingsRow(stage.root, stage.context)
    row.grid()
    ui.settle()
    Mouse(ui).pick(find(row, name="settings"), "Mute the phrases of opponents")
    assert stage.context.home.settings.mute_phrases
    assert stage.context.mutes_phrases("r1")
    row.destroy()
