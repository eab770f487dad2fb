"""What players learn belongs to their accounts, and the server judges their attempts at puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.analysis.values import PositionValues
from doublecross.games.api import Game
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.server.core.people.storm import STORM_MS
from tests.analysis.course.lessons import judge
from tests.fakes.advisers import FakeAdviser
from tests.fakes.clock import StoppedClock
from tests.server.shell.accounts.people import GOOD, Visitor, guest, member, open_server

ONE, TWO, THREE = list(puzzles().by_id)[:3]
FEW = min((p for p in puzzles().puzzles if p.turns == 2), key=lambda each: len(each.costs))


class Judge(FakeAdviser):
    """An adviser that tries all games."""

    async def values(
        self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
    ) -> PositionValues:
        state = game.replay(opening, moves)
        assert isinstance(state, DotsAndBoxesState)
        return judge(state)


async def merge(visitor: Visitor, owner: str | None = None, **sent: Any) -> dict[str, Any]:
    return await visitor.ask("account/progress", body={"version": 1, "owner": owner, **sent})


async def test_progress_follows_its_player_and_nobody_else(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann, bob = await guest(server), await member(server, "Bob")
        first = {"solved": [ONE, "nothing"], "clean": [ONE], "days": ["2026-11-23"]}
        mine = await merge(ann, puzzles=first, settings={"rim": [False, 5]})
        me = mine["account_id"]
        # A guest who registers keeps everything, and finds it on another device.
        await ann.ask("account/password", body={"password": GOOD})
        login = await Visitor(server).ask("login", body={"name": "Ann", "password": GOOD})
        phone = Visitor(server, login["secret"])
        on_phone = {"puzzles": {"solved": [TWO]}, "settings": {"rim": [True, 3]}}
        found = await merge(phone, **on_phone, lessons={"solved": ["turns/take", "x/y"]})
        assert found["puzzles"]["solved"] == sorted([ONE, TWO])
        assert found["puzzles"]["clean"] == [ONE]
        assert found["settings"] == {"rim": [False, 5]}
        assert await merge(ann) == found
        # The documents of Ann's account are not Bob's, but those of a guest become his.
        other = await merge(bob, owner=me, puzzles={"solved": [THREE]})
        assert (other["merged"], other["puzzles"]["solved"]) == (False, [])
        before = await guest(server, "Guest-1")
        its = (await merge(before, puzzles={"solved": [TWO]}))["account_id"]
        other = await merge(bob, owner=its, puzzles={"solved": [TWO]})
        assert (other["merged"], other["puzzles"]["solved"]) == (True, [TWO])
        await merge_refused(server, ann)


async def merge_refused(server: Any, ann: Visitor) -> None:
    sent: dict[str, Any] = {"version": 1, "puzzles": {"solved": ["x" * 200]}}
    await ann.ask("account/progress", 400, sent)
    await ann.ask("account/progress", 400, {"version": 2})
    await ann.ask("account/progress", 413, {"version": 1, "settings": {"a": ["x" * 70_000, 1]}})
    await Visitor(server).refused("account/progress", "bad_token", {"version": 1})


def solution() -> list[int]:
    """Return the best line of `FEW` up to the end of its last turn."""
    state, turns, moves = FEW.state(), 0, []
    seat = state.current_player()
    while turns < FEW.turns and not state.is_terminal():
        mover = state.current_player()
        moves.append(judge(state).actions[0].action)
        state.apply(moves[-1])
        turns += mover == seat and (state.is_terminal() or state.current_player() != seat)
    return moves


async def test_the_server_judges_attempts_and_rates_the_first(tmp_path: Path) -> None:
    line = solution()
    wrong = next(edge for edge, cost in FEW.cost_of.items() if cost)
    async with open_server(tmp_path, adviser=Judge()) as server:
        ann = await guest(server)
        ask = {"puzzle": FEW.id, "moves": line}
        for bad in (line[:-1], [], [999]):
            await ann.refused("solving/attempt", "wrong_state", {**ask, "moves": bad})
        won = await ann.ask("solving/attempt", body=ask)
        assert won["solved"]
        assert won["change"] > 0
        assert won["solver"]["streak"] == 1
        lost = await ann.ask("solving/attempt", body={**ask, "moves": [wrong]})
        assert (lost["solved"], lost["change"]) == (False, None)
        # Help is a loss. A visitor without a name is judged too, but moves no puzzle's rating.
        bob, visitor = await guest(server, "Bob"), Visitor(server)
        failed = await visitor.ask("solving/attempt", body={**ask, "moves": [wrong]})
        for who in (visitor, bob):
            helped = await who.ask("solving/attempt", body={**ask, "moves": None})
            assert not helped["solved"]
            assert helped["change"] == failed["change"] < 0
        assert helped["puzzle_rating"] > won["puzzle_rating"]
        body = {"kind": FEW.kind, "solver": helped["solver"]}
        chosen = (await visitor.ask("solving/next", body=body))["puzzle"]
        assert puzzles().by_id[chosen].kind == FEW.kind
        assert chosen != FEW.id
    async with open_server(tmp_path, adviser=Judge()) as server:
        again = await Visitor(server, bob.secret).ask("solving/attempt", body=ask)
        assert (again["change"], again["puzzle_rating"]) == (None, helped["puzzle_rating"])
        assert again["solver"]["rating"] == helped["solver"]["rating"]


async def test_the_server_keeps_the_time_of_a_storm(tmp_path: Path) -> None:
    clock = StoppedClock()
    async with open_server(tmp_path, now=clock) as server:
        ann = await guest(server)
        storm = await ann.ask("solving/storm", body={})
        assert storm["left_ms"] == STORM_MS
        name, shown = storm["storm"], storm["puzzle"]
        assert shown["positions"][-1]["to_move"] == shown["seat"]
        best = puzzles().by_id[shown["id"]].keeping[0]
        move = {"storm": name, "puzzle": shown["id"], "move": best}
        await Visitor(server).refused("solving/storm", "wrong_state", move)
        found = await ann.ask("solving/storm", body=move)
        assert (found["right"], found["score"], found["combo"]) == (True, 1, 1)
        await ann.refused("solving/storm", "wrong_state", move)
        clock.later(STORM_MS)
        late = {**move, "puzzle": found["puzzle"]["id"]}
        found = await ann.ask("solving/storm", body=late)
        assert (found["score"], found["left_ms"], found["puzzle"]) == (1, 0, None)
        solver = (await ann.ask("solving/storm", body={"storm": name}))["solver"]
        assert (solver["storm_best"], list(solver["storm_days"].values())) == (1, [1])
        await ann.refused("solving/storm", "wrong_state", {"storm": name})
