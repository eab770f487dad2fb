"""Play in rooms for tests: people on the page, and opponents who use the Python client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from playwright.async_api import Locator, Page, expect

from doublecross.client.core.room import RoomMirror
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.games.api import Game
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.protocol.server_messages import RoomState
from tests.client.tk.harness.serving import RealServer
from tests.client.web.harness.fixtures import Visit

_PLACE = """async ([game, size, action, board]) => {
  // The page has fetched it already, and a test may have stopped the server since.
  const address = `/api/geometry?game=${game}&size=${size}`;
  const answer = await fetch(address, { cache: "force-cache" });
  const { points, segments, regions } = await answer.json();
  const segment = segments.find((each) => each.action === action);
  const corners = segment
    ? [segment.start, segment.end]
    : regions.find((each) => each.action === action).corners;
  const middle = [0, 1].map(
    (axis) => corners.reduce((sum, at) => sum + points[at][axis], 0) / corners.length,
  );
  const svg = document.querySelector(`${board} .board-svg`);
  const place = new DOMPoint(100 * middle[0], 100 * middle[1]);
  const { x, y } = place.matrixTransform(svg.getScreenCTM());
  return [x, y];
}"""


class Opponent:
    """A person who plays by the Python client in one room."""

    def __init__(self, client: Client, state: RoomState) -> None:
        self.client = client
        self.room = state.room
        self.code = state.code

    @property
    def mirror(self) -> RoomMirror:
        """The room as this person sees it."""
        return self.client.session.rooms[self.room]

    @property
    def path(self) -> str:
        """The address of the room for the other person."""
        return f"/room/{self.room}" + (f"#{self.code}" if self.code else "")

    async def sees(self, holds: Callable[[RoomMirror], bool]) -> None:
        """Wait until `holds` is true for the room: the page may know of a change before."""
        while not holds(self.mirror):  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def turn(self) -> None:
        """Wait for this person's turn, or for the end of the match."""
        while self.mirror.status != "finished" and not self.mirror.my_turn:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def play(self, action: int | None = None) -> None:
        """Wait for the turn and play `action`, by default the first legal one."""
        await self.turn()
        if self.mirror.my_turn:
            chosen = self.mirror.state.legal_actions()[0] if action is None else action
            await self.client.move(self.room, chosen)

    async def play_on(self) -> None:
        """Play first legal moves until the match is over."""
        while self.mirror.status == "playing":
            await self.play()


def settings(
    game: str = "dots-and-boxes", size: Mapping[str, int] | None = None, time: str = "unlimited"
) -> MatchSettings:
    """Return the settings of a casual match, by default of Dots and Boxes 2x2."""
    params = {"rows": 2, "cols": 2} if size is None and game == "dots-and-boxes" else size or {}
    return MatchSettings(game=game, params=dict(params), time=TimeControl.parse(time))


@asynccontextmanager
async def hosting(
    server: RealServer,
    what: MatchSettings | None = None,
    *,
    name: str = "Bob",
    seat: int = 1,
    private: bool = True,
) -> AsyncIterator[Opponent]:
    """Connect an opponent who opens a room and waits in `seat`."""
    async with Client(
        server.url, Login("human", name=name, takebacks=True), rng=Random(1)
    ) as client:
        state = await client.create_room(what or settings(), seat=seat, private=private)
        yield Opponent(client, state)


async def join(page: Page, name: str = "Ann") -> None:
    """Take the free seat on the page of a room, with the name that this browser keeps."""
    await page.get_by_role("button", name=f"Join as {name}").click()
    await expect(page.get_by_role("group", name="Actions")).to_be_visible()


@asynccontextmanager
async def playing(
    server: RealServer,
    visit: Visit,
    what: MatchSettings | None = None,
    *,
    seat: int = 1,
    **window: Any,
) -> AsyncIterator[tuple[Opponent, Page]]:
    """Let Ann join a private room of Bob; yield Bob and Ann's page, which has this window."""
    async with hosting(server, what, seat=seat) as bob:
        page = await visit(bob.path, name="Ann", **window)
        await join(page)
        yield bob, page


def game_of(what: MatchSettings) -> Game:
    """Return the game of settings."""
    return make_game(what.game, what.params)


async def place(
    page: Page, game: Game, action: int, board: str = ".room-board"
) -> tuple[float, float]:
    """Return where an action is on the screen."""
    x, y = await page.evaluate(_PLACE, [game.key, game.size, action, board])
    return x, y


async def click(page: Page, game: Game, action: int, board: str = ".room-board") -> None:
    """Click an action on the board."""
    await page.mouse.click(*await place(page, game, action, board))


async def first_moves(page: Page, bob: Opponent) -> None:
    """Let the page play action 0 and the opponent action 1, and wait for the turn of the page."""
    await click(page, bob.mirror.game, 0)
    await bob.play(1)
    await expect(status(page)).to_have_text("Your turn.")


async def resign(page: Page) -> None:
    """Resign, and confirm it."""
    await page.get_by_role("button", name="Resign").click()
    question = page.get_by_role("group", name="Resign this match?")
    await question.get_by_role("button", name="Resign").click()


def status(page: Page) -> Locator:
    """Return the line below the board."""
    return page.locator(".room-status")
