"""The screens to take pictures of, and a server with players and games to show on them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from playwright.async_api import Page

from doublecross.client.core.room import RoomMirror
from doublecross.client.options import Login, Memory
from doublecross.client.transport import Client
from doublecross.games.api import State
from doublecross.protocol.common import MatchSettings, TimeControl, TournamentTerms
from tests.bots.running import until
from tests.client.tk.harness.serving import RealServer

NAMES: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")


def _settings(side: int, time: str, *, rated: bool = False) -> MatchSettings:
    return MatchSettings(
        game="dots-and-boxes",
        params={"rows": side, "cols": side},
        time=TimeControl.parse(time),
        rated=rated,
    )


@dataclass
class World:
    """What is on the server: `visitors` maps a name to the identity that its browser keeps."""

    server: RealServer
    visitors: dict[str, str] = field(default_factory=dict)
    clients: dict[str, Client] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """Ids of rooms, games, tournaments and puzzles by what they show."""


async def _nothing(page: Page, there: World) -> None:
    """Show the screen as it opens."""


@dataclass(frozen=True)
class Screen:
    """A path, who visits it (empty: somebody new), and what that visitor does there first."""

    path: Callable[[World], str]
    visitor: str = "Ann"
    act: Callable[[Page, World], Awaitable[None]] = _nothing


def _at(path: str, **which: str) -> Callable[[World], str]:
    return lambda there: path.format(**there.places)


async def _lesson(page: Page, there: World) -> None:
    await page.locator(".moment strong").wait_for(timeout=60_000)


async def _settings_dialog(page: Page, there: World) -> None:
    await page.get_by_role("button", name="Settings", exact=True).click()
    await page.get_by_role("dialog").wait_for()


async def _menu(page: Page, there: World) -> None:
    # Wide windows show what the menu has.
    menu = page.get_by_role("button", name="Menu")
    if await menu.is_visible():
        await menu.click()


async def _comment(page: Page, there: World) -> None:
    """Wait for the adviser, which compiles its kernels for the first question."""
    await page.locator(".room-comment strong").wait_for(timeout=90_000)


async def _task(page: Page, there: World) -> None:
    await page.get_by_label("Exercise 2 of").first.click()


async def _analysed(page: Page, there: World) -> None:
    # The server keeps the analysis for the next size.
    ask = page.get_by_role("button", name="Analyse", exact=True)
    await ask.or_(page.get_by_text("accuracy").first).first.wait_for()
    if await ask.is_visible():
        await ask.click()
    await page.get_by_text("accuracy").first.wait_for(timeout=60_000)
    await page.get_by_role("button", name="Next mistake").click()


async def _storm(page: Page, there: World) -> None:
    await page.get_by_role("button", name="Begin").click()


async def _share(page: Page, there: World) -> None:
    await page.get_by_role("button", name="Share", exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name="Replay").wait_for()


SCREENS: Final[dict[str, Screen]] = {
    "landing": Screen(_at("/"), visitor=""),
    "lobby": Screen(_at("/")),
    "lobby-quiet": Screen(_at("/"), visitor="Iris"),
    "room-turn": Screen(_at("/room/{live}")),
    "room-wait": Screen(_at("/room/{live}"), visitor="Bob"),
    "room-days": Screen(_at("/room/{days}")),
    "room-end": Screen(_at("/room/{over}"), visitor="Cleo", act=_lesson),
    "room-share": Screen(_at("/room/{over}"), visitor="Dan", act=_share),
    "room-watch": Screen(_at("/room/{live}"), visitor="Iris"),
    "room-commentary": Screen(_at("/room/{evaluated}"), visitor="Iris", act=_comment),
    "room-invite": Screen(_at("/room/{waiting}"), visitor="Gwen"),
    "wall": Screen(_at("/watch")),
    "tv": Screen(_at("/watch/tv"), visitor="Iris"),
    "review": Screen(_at("/game/{fresh}-1#20")),
    "review-analysed": Screen(_at("/game/{game}#40"), act=_analysed),
    "analysis": Screen(_at("/analysis/dots-and-boxes:4x4::0,7,18,30,12,25,3,9,22,35,14,28,5")),
    "analysis-start": Screen(_at("/analysis"), visitor=""),
    "games": Screen(_at("/games")),
    "records": Screen(_at("/records")),
    "me": Screen(_at("/me")),
    "player": Screen(_at("/player/Bob")),
    "ratings": Screen(_at("/ratings")),
    "tournaments": Screen(_at("/tournaments")),
    "tournament": Screen(_at("/tournament/{tournament}")),
    "tournament-running": Screen(_at("/tournament/{league}"), visitor="Iris"),
    "rules": Screen(_at("/rules")),
    "learn": Screen(_at("/learn")),
    "lesson": Screen(_at("/learn/{lesson}")),
    "lesson-task": Screen(_at("/learn/double-dealing"), act=_task),
    "puzzles": Screen(_at("/puzzles")),
    "puzzle": Screen(_at("/puzzle/{puzzle}")),
    "storm": Screen(_at("/storm"), act=_storm),
    "account": Screen(_at("/account")),
    "admin": Screen(_at("/admin"), visitor="Boss"),
    "classes": Screen(_at("/classes")),
    "seek": Screen(_at("/seek/{seek}"), visitor="Iris"),
    "settings": Screen(_at("/rules"), act=_settings_dialog),
    "menu": Screen(_at("/rules"), act=_menu),
    "missing": Screen(_at("/nowhere")),
}


def _sensible(state: State, rng: Random) -> int:
    """Return a move as a beginner makes it: one that scores, else one that gives nothing away."""
    seat = state.current_player()
    own = state.scores()[seat]
    safe = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        if after.scores()[seat] > own:
            return action
        if after.is_terminal() or not _scores(after):
            safe.append(action)
    return rng.choice(safe or state.legal_actions())


def _scores(state: State) -> bool:
    seat = state.current_player()
    own = state.scores()[seat]
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        if after.scores()[seat] > own:
            return True
    return False


async def _play(first: Client, second: Client, room: str, plies: int, rng: Random) -> None:
    """Play `plies` moves, and on until the first player is to move, or the match is over."""
    mine: RoomMirror = first.session.rooms[room]
    other: RoomMirror = second.session.rooms[room]
    await until(lambda: mine.status != "waiting" and other.status != "waiting")
    while mine.result is None and (mine.state.ply < plies or not mine.my_turn):
        client, mirror = (first, mine) if mine.my_turn else (second, other)
        if mirror.state.is_terminal():  # this one has not heard of the end yet
            await asyncio.sleep(0.002)
            continue
        ply = mirror.state.ply
        await client.move(room, _sensible(mirror.state, rng))
        while mine.result is None and min(mine.state.ply, other.state.ply) == ply:  # noqa: ASYNC110
            await asyncio.sleep(0.002)


@contextlib.asynccontextmanager
async def world(server: RealServer, admin: str) -> AsyncIterator[World]:
    """Fill a server with players, games and a tournament; `admin` is the token of Boss."""
    there, rng = World(server), Random(3)
    there.visitors["Boss"] = json.dumps({"name": "Boss", "token": admin, "account": True})
    async with contextlib.AsyncExitStack() as stack:
        for number, name in enumerate((*NAMES, "Iris")):
            tokens: list[str] = []
            client = Client(
                server.url,
                Login("human", name=name),
                rng=Random(number),
                memory=Memory(on_token=tokens.append),
            )
            await stack.enter_async_context(client)
            there.clients[name] = client
            there.visitors[name] = json.dumps({"name": name, "token": tokens[-1]})

        async def match(first: str, second: str, what: MatchSettings, plies: int = 999) -> str:
            made = await there.clients[first].create_room(what, seat=0)
            await there.clients[second].join(made.room)
            await _play(there.clients[first], there.clients[second], made.room, plies, rng)
            return made.room

        over = await match("Ann", "Bob", _settings(5, "300+3", rated=True))
        result = there.clients["Ann"].session.rooms[over].result
        assert result is not None
        there.places["game"] = result.game_id or ""
        for pair in (("Bob", "Ann"), ("Cleo", "Ann"), ("Bob", "Cleo")):
            await match(*pair, _settings(3, "60", rated=True))
        there.places["fresh"] = await match("Bob", "Cleo", _settings(5, "300+3"))
        there.places["over"] = await match("Cleo", "Dan", _settings(4, "300+3"))
        there.places["live"] = await match("Ann", "Bob", _settings(5, "1800+10", rated=True), 34)
        there.places["days"] = await match("Ann", "Cleo", _settings(4, "3d"), 12)
        await match("Dan", "Eve", _settings(6, "600+5"), 40)
        terms = {
            "name": "Sunday cup",
            "format": "round-robin",
            "settings": _settings(3, "60"),
            "people": True,
        }
        # A tournament waits for those who play on a clock elsewhere.
        league = await there.clients["Ann"].tournaments.create(
            TournamentTerms.model_validate(
                terms | {"name": "Winter league", "settings": _settings(5, "1800+10")}
            )
        )
        pair = [there.clients[name] for name in ("Finn", "Hugo")]
        before = set(pair[0].session.rooms)
        for client in pair:
            await client.tournaments.join(league.tournament)
        await there.clients["Ann"].tournaments.start(league.tournament)
        await until(lambda: all(set(each.session.rooms) - before for each in pair))
        (room,) = set(pair[0].session.rooms) - before
        await until(lambda: room in pair[1].session.rooms)
        await _play(*pair, room, 36, rng)
        there.places["league"] = league.tournament
        open_match = _settings(5, "1800+10").model_copy(update={"evaluation": True})
        there.places["evaluated"] = await match("Dan", "Hugo", open_match, 44)
        await match("Finn", "Gwen", _settings(5, "300+3"), 38)
        await match("Hugo", "Eve", _settings(4, "unlimited"), 20)
        made = await there.clients["Gwen"].create_room(_settings(5, "300+3"), seat=0, private=True)
        there.places["waiting"] = made.room
        posted = await there.clients["Hugo"].offers.seek(_settings(5, "300+3"))
        there.places["seek"] = posted.seek
        cup = await there.clients["Ann"].tournaments.create(TournamentTerms.model_validate(terms))
        for name in ("Dan", "Eve", "Finn", "Gwen"):
            await there.clients[name].tournaments.join(cup.tournament)
        there.places["tournament"] = cup.tournament
        there.places["lesson"] = "chains"
        there.places["puzzle"] = "today"
        yield there
