"""Check bots in a tournament on a real server: they join, play all games, and leave at its end."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from doublecross.bots.runner import Policy, RunnerError
from doublecross.client.transport import Client
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, TimeControl, TournamentTerms
from doublecross.protocol.server_messages import TournamentState
from doublecross.server.shell.app import DoublecrossServer
from tests.bots.bad_bots import HERE as BAD
from tests.bots.running import human, play_out, running, serving, until

SETTINGS = MatchSettings(
    game="dots-and-boxes",
    params={"rows": 2, "cols": 2},
    time=TimeControl(base_ms=60_000),
    rated=True,
)


def terms(**given: object) -> TournamentTerms:
    return TournamentTerms.model_validate(
        {"name": "Spring", "format": "round-robin", "settings": SETTINGS, "seed": 1, **given}
    )


async def ended(client: Client, tournament: str) -> TournamentState:
    state = await client.tournaments.get(tournament)
    while state.status == "running":
        await asyncio.sleep(0.02)
        state = await client.tournaments.get(tournament)
    return state


async def tags(server: DoublecrossServer, tournament: str) -> list[tuple[int, int, int]]:
    """Return pairing, game and attempt of all finished games, sorted."""
    await server.authority.committer.settled(games=True)
    games = await server.authority.store.tournament_games(tournament)
    found = [game.tag for game in games if game.tag is not None]
    return sorted((tag.pairing, tag.game, tag.attempt) for tag in found)


async def test_a_round_robin_is_played(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        opened = await ann.tournaments.create(terms(pairs=3))
        tournament = opened.tournament
        assert (opened.status, opened.owner, opened.entrants) == ("open", "Ann", ())
        async with AsyncExitStack() as stack:
            runs = [
                await stack.enter_async_context(
                    running(
                        server.addresses.ws,
                        tmp_path / name,
                        name,
                        tournament=tournament,
                    )
                )
                for name in ("greedy", "rules", "random")
            ]
            await until(
                lambda: len(server.authority.director.registry.running[tournament].numbers) == 3
            )
            started = await ann.tournaments.start(tournament)
            assert (started.status, started.games_planned) == ("running", 18)
            state = await ended(ann, tournament)
            reports = await asyncio.gather(*(task for _, task in runs))
        assert state.status == "finished"
        assert state.games_played == 18
        assert [each.games for each in state.entrants] == [12, 12, 12]
        assert sum(each.points for each in state.entrants) == 18
        assert sum(each.net for each in state.entrants) == 0
        assert state.entrants[0].player == "rules"
        assert [report.games for report in reports] == [12, 12, 12]
        assert all(report.problem is None for report in reports)
        assert await tags(server, tournament) == [
            (pairing, game, 1) for pairing in range(9) for game in (0, 1)
        ]
        assert tournament not in server.authority.director.registry.running


async def test_a_tournament_that_is_over_is_a_problem(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        tournament = (await ann.tournaments.create(terms())).tournament
        await ann.tournaments.end(tournament)
        url = server.addresses.ws
        async with running(url, tmp_path, "greedy", tournament=tournament) as (_, task):
            report = await task
        assert report.problem == "The tournament Spring is over."


async def test_a_bot_finishes_its_games_after_the_end_of_a_tournament(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        tournament = (await ann.tournaments.create(terms(people=True))).tournament
        url = server.addresses.ws
        # The grace period is for somebody who waits for the bot to stop; here nobody does.
        async with running(url, tmp_path, "greedy", tournament=tournament, grace_s=0) as (_, task):
            await until(
                lambda: len(server.authority.director.registry.running[tournament].numbers) == 1
            )
            await ann.tournaments.join(tournament)
            await ann.tournaments.start(tournament)
            await until(lambda: any(each.my_turn for each in ann.session.rooms.values()))
            cancelled = await ann.tournaments.end(tournament)
            assert cancelled.status == "cancelled"
            rooms = [room for room, each in ann.session.rooms.items() if each.status == "playing"]
            await asyncio.gather(*(play_out(ann, room) for room in rooms))
            report = await task
        assert report.games == len(rooms)
        assert report.problem is None


@pytest.mark.processes
async def test_a_bot_is_ready_for_its_game_before_it_joins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "ready.txt"
    monkeypatch.setenv("BAD_BOTS_READY", str(notes))
    seen: list[str] = []
    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        tournament = (await ann.tournaments.create(terms())).tournament
        async with running(
            *(server.addresses.ws, tmp_path, f"{BAD}:NotesReady"),
            game=make_game("dots-and-boxes", {"rows": 4, "cols": 6}),
            on_ready=lambda _: seen.append(notes.read_text()),
            tournament=tournament,
            on_entered=lambda _name, _state: seen.append(notes.read_text()),
        ):
            await until(lambda: len(seen) == 2)
    # First the game that the caller named, then that of the tournament.
    assert seen[0].split("\n")[0] == "dots-and-boxes 4x6"
    assert "2x2" not in seen[0]
    assert seen[1].split("\n")[-2] == "dots-and-boxes 2x2"


async def test_a_bot_does_not_join_what_it_cannot_play(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        tournament = (await ann.tournaments.create(terms())).tournament
        url = server.addresses.ws
        bot = "tests.bots.late_bots:OnlyTicTacToe"
        async with running(url, tmp_path, bot, tournament=tournament) as (_, task):
            with pytest.raises(RunnerError, match="OnlyTicTacToe does not play Dots and Boxes 2x2"):
                await task
        assert (await ann.tournaments.get(tournament)).entrants == ()


async def test_bots_follow_a_ladder_into_its_next_season(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        ladder = (await ann.tournaments.create(terms(format="ladder", people=True))).tournament
        async with running(server.addresses.ws, tmp_path, "greedy", tournament=ladder) as (_, task):
            registry = server.authority.director.registry
            await until(lambda: len(registry.running[ladder].numbers) == 1)
            await ann.tournaments.start(ladder)
            assert (await ann.tournaments.next_season(ladder)).tournament == f"{ladder}-2"
            # The first id leads a person, too, to the season in which the bot waits.
            await ann.tournaments.join(ladder)
            await until(lambda: any(each.my_turn for each in ann.session.rooms.values()))
            assert not task.done()
            await ann.tournaments.end(ladder)
            await play_out(ann, next(iter(ann.session.rooms)))
            assert (await task).games == 1


async def test_a_bot_fills_in_where_the_lobby_asks_for_it(tmp_path: Path) -> None:
    arena = terms(format="arena", length_ms=600_000, people=True, bots=("random",), fill=2)
    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        opened = await ann.tournaments.create(arena)
        await ann.tournaments.join(opened.tournament)
        await ann.tournaments.start(opened.tournament)
        fills = {"policy": Policy(fills_in=True)}
        async with running(server.addresses.ws, tmp_path / "random", "random", **fills):
            await until(lambda: len(ann.session.rooms) == 1)
        (room,) = ann.session.rooms.values()
        assert {each.name for each in room.players if each} == {"Ann", "random"}
