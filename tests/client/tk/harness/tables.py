"""Show a scripted room on its screen: the test controls both the server and the clock."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.snapshots import RoomGone
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.room.screen import RoomScreen
from doublecross.client.tk.screens.room.view import RoomView
from doublecross.client.tk.sound import Tone
from tests.client.tk.harness.driver import Mouse
from tests.client.tk.harness.inspecting import find, find_all
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.windows import Windows
from tests.client.tk.models.rooms import SeenRoom


@dataclass
class Asked:
    """A request of the window: the connection (empty for a helper), the name and arguments, and
    the callbacks for the answer."""

    who: str
    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    done: Callable[[Any], None] = lambda _: None
    failed: Callable[[Refusal], None] = lambda _: None


class _Client:
    """Records the single request that is sent by it, with its dotted name (``tournaments.get``)."""

    def __init__(self, asked: Asked, name: str = "") -> None:
        self._asked = asked
        self._name = name

    def __getattr__(self, name: str) -> _Client:
        return _Client(self._asked, f"{self._name}.{name}".lstrip("."))

    def __call__(self, *args: Any, **kwargs: Any) -> Awaitable[Any]:
        self._asked.name, self._asked.args, self._asked.kwargs = self._name, args, kwargs
        return _never()


async def _never() -> None:
    raise AssertionError("A scripted server is not asked like this.")


class ScriptedNetwork:
    """Records requests in `asked`; the test answers them by their callbacks."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.disconnected: list[str] = []
        self.cancelled: list[str] = []

    def ask(
        self,
        who: str,
        request: Callable[[Any], Awaitable[Any]],
        done: Callable[[Any], None] = lambda _: None,
        failed: Callable[[Refusal], None] = lambda _: None,
    ) -> None:
        asked = Asked(who, "", done=done, failed=failed)
        # A coroutine function that wraps a request (the record of a game) gives its own name.
        work: Any = request(_Client(asked))
        work.close()
        asked.name = asked.name or work.__name__
        self.asked.append(asked)

    def run(
        self,
        work: Callable[[], Awaitable[Any]],
        done: Callable[[Any], None] = lambda _: None,
        failed: Callable[[Refusal], None] = lambda _: None,
    ) -> int:
        coroutine: Any = work()
        coroutine.close()
        self.asked.append(Asked("", coroutine.__name__, done=done, failed=failed))
        return len(self.asked) - 1

    def cancel(self, number: int) -> None:
        self.cancelled.append(self.asked[number].name)

    def disconnect(self, who: str) -> None:
        self.disconnected.append(who)


class Table:
    """Shows `room` on its screen; `tones` records the sounds that were played."""

    def __init__(self, windows: Windows, stage: Stage, room: SeenRoom) -> None:
        self.windows = windows
        self.stage = stage
        self.room = room
        self.network = ScriptedNetwork()
        self.tones: list[Tone] = []
        self.mouse = Mouse(windows)
        self.real_network = stage.context.network
        context = stage.context
        context.network = self.network  # type: ignore[assignment]
        context.clock = lambda: self.room.now
        context.sound.play = self.tones.append  # type: ignore[method-assign]
        self.put()
        # Not shown by the stage, whose timer would advance the clock.
        self.screen = RoomScreen(context, room.room)
        self.screen.grid(row=0, column=0, sticky="nsew")
        self.settle()

    @property
    def view(self) -> RoomView:
        assert self.screen.view is not None
        return self.screen.view

    @property
    def model(self) -> RoomModel:
        assert self.screen.model is not None
        return self.screen.model

    # -- updates of the server ---------------------------------------------------------------

    def put(self, who: str = ME, me: str | None = None, **other: Any) -> None:
        """Send the current state of the room, with the fields in `other` replaced."""
        snapshot = self.room.seen(who, me, **other)
        self.stage.context.latest.rooms[who, self.room.room] = snapshot
        if hasattr(self, "screen"):
            self.screen.take(snapshot)
            self.settle()

    def moves(self, names: str) -> None:
        """Play moves in the room and send its new state."""
        self.room.moves(names)
        self.put()

    def gone(self, who: str = ME, sentence: str = "") -> None:
        """Report that `who` no longer follows the room."""
        self.stage.context.latest.rooms.pop((who, self.room.room), None)
        self.screen.take(RoomGone(who, self.room.room, sentence))
        self.settle()

    def last(self, name: str) -> Asked:
        """Return the last request; fail unless it is called `name`."""
        assert self.network.asked, f"Nothing was asked, not {name}"
        found = self.network.asked[-1]
        assert found.name == name, f"{found.name} was asked, not {name}"
        return found

    @property
    def asked(self) -> list[str]:
        """The names of all requests, oldest first."""
        return [asked.name for asked in self.network.asked]

    # -- time, input and widgets -------------------------------------------------------------

    def settle(self) -> None:
        self.windows.settle()

    def tick(self, seconds: float = 0.0) -> None:
        """Advance the clock by `seconds` and update the screen."""
        self.room.now += seconds
        self.screen.tick(self.room.now)
        self.settle()

    def click(self, name: str) -> None:
        """Click an edge or cell, by the name of its action."""
        self.mouse.click_action(self.view.board, self.room.game.parse_action(name))

    def press(self, name: str) -> None:
        """Click the button called `name`."""
        self.mouse.click(find(self.stage.root, name=name))

    def there(self, name: str) -> bool:
        """Return whether a button or a switch with this name is visible."""
        return bool(find_all(self.stage.root, name=name))

    def enabled(self, name: str) -> bool:
        """Return whether a button is enabled."""
        button: Any = find(self.stage.root, name=name)
        return not button.instate(["disabled"])

    def says(self, name: str, inside: str | None = None) -> str:
        """Return the text of the widget with this name, in the widget called `inside` if given."""
        parent = self.stage.root if inside is None else find(self.stage.root, name=inside)
        widget: Any = find(parent, name=name)
        return str(widget.cget("text"))

    @property
    def status(self) -> str:
        """The sentence below the board."""
        return self.says("sentence")

    def close(self) -> None:
        self.screen.leave()
        self.stage.context.network = self.real_network
