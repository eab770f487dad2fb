"""`python -m benchmarks tournament`: how long the core of a ladder with many players takes.

Players of known strengths play game pairs in a ladder, as fast as it can be asked. What is timed is
what happens on the server's event loop when a game is over: the outcome is taken in, and those who
are free by that are paired again.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final

import typer

from benchmarks import command, machine
from benchmarks.figures import Line
from benchmarks.processes import ROOT
from server.tournaments.core.allocation import NewGame
from server.tournaments.core.rows import GameOutcome
from server.tournaments.core.terms import Terms
from server.tournaments.core.tournament import Tournament
from stats.pairs import score_of_elo

WANTED_S: Final = 0.005
"""The next pairing must be found within this, in seconds."""
LAST: Final = 2000
"""Games at the end whose times count: with all the others finished before."""
GAME_MS: Final = 2000
"""How long a game lasts in the ladder's own time, in the mean."""


def run(
    players: Annotated[int, typer.Option(min=4, help="in the ladder")] = 1000,
    games: Annotated[int, typer.Option(min=100, help="that are finished at the end")] = 100_000,
    quick: command.Quick = False,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure the next pairing of a ladder with many players and finished games."""
    if quick:
        players, games = min(players, 100), min(games, 4000)
    command.measure(
        "tournament",
        ["ladder"],
        lambda _: ladder(players, games),
        machine.describe(None, ()),
        lines,
        Path(out),
        markdown,
    )


def ladder(players: int, games: int) -> dict[str, Any]:
    """Times, in seconds, from the end of a game to the next ones: of the last games."""
    rng = Random(1)
    strengths = [rng.uniform(-300, 300) for _ in range(players)]
    core = Tournament(
        Terms(
            tournament_id="t1",
            name="Ladder",
            format="ladder",
            game="dots-and-boxes",
            params={"rows": 5, "cols": 5},
            time="10+0.1",
            openings=tuple((n,) for n in range(40)),
        )
    )
    for number in range(players):
        core.join(f"bot {number}", "bot 1", 1, 0)
    core.start()
    slots = dict.fromkeys(range(players), 1)
    now, took = 0, []
    live: list[tuple[int, NewGame]] = []

    def begin() -> None:
        started = core.next_games(slots, now)
        for game in started.games:
            for player in game.players:
                del slots[player]
            live.append((now + rng.randrange(1, 2 * GAME_MS), game))

    begin()
    for done in range(games):
        at = min(range(len(live)), key=lambda i: live[i][0])
        now, game = live[at]
        live[at] = live[-1]
        live.pop()
        first, second = game.players
        score = score_of_elo(strengths[first] - strengths[second])
        winner = 0 if rng.random() < score else 1
        outcome = GameOutcome(game.tag, winner, (13, 12), "completed", now)
        began = time.perf_counter()
        core.over(outcome)
        for player in game.players:
            slots[player] = 1
        begin()
        if done >= games - LAST:
            took.append(time.perf_counter() - began)
        if not live:  # everybody waits for somebody who has not been met just now
            now += GAME_MS
            begin()
    began = time.perf_counter()
    core.standings()
    return {
        "players": players,
        "games": games,
        "median": statistics.median(took),
        "p99": sorted(took)[int(0.99 * (len(took) - 1))],
        "most": max(took),
        "standings": time.perf_counter() - began,
    }


def lines(results: Mapping[str, Any]) -> list[Line]:
    """The figures and what is wanted."""
    found = results["ladder"]
    what = f"{found['players']} players, {found['games']} finished games"
    wanted = f"under {1000 * WANTED_S:.0f} ms"
    return [
        Line(
            f"from the end of a game to the next pairing, median; {what}",
            f"{1000 * found['median']:.2f} ms",
            wanted,
            found["median"] < WANTED_S,
        ),
        Line("99 of 100 of them", f"{1000 * found['p99']:.2f} ms", wanted, found["p99"] < WANTED_S),
        Line("the longest", f"{1000 * found['most']:.2f} ms", "", None),
        Line("the whole table", f"{1000 * found['standings']:.1f} ms", "", None),
    ]
