"""`python -m benchmarks tournament`: times the pairing of a ladder with many players.

Players of known strengths play game pairs in a ladder; their games take no real time. The benchmark
times what happens on the server's event loop when a game is over: the ladder counts the outcome and
pairs the free players again.
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
from benchmarks.figures import Figure
from benchmarks.processes import ROOT
from doublecross.server.core.tournament_rows import GameOutcome
from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.server.tournaments.core.terms import Terms
from doublecross.server.tournaments.core.tournament import Tournament
from doublecross.stats.pairs import score_of_elo

WANTED_S: Final = 0.005
"""The target: seconds until the next pairing is found. It runs on the event loop's thread."""
LAST: Final = 2000
"""How many games at the end are timed; all others are finished by then."""
GAME_MS: Final = 2000
"""The mean duration of a game in the ladder's simulated time."""


def run(
    players: Annotated[int, typer.Option(min=4, help="Players in the ladder.")] = 1000,
    games: Annotated[
        int, typer.Option(min=100, help="Games that are finished at the end.")
    ] = 100_000,
    quick: command.Quick = False,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Measure how long the next pairing takes in a ladder with many players and finished games."""
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
    """Return the seconds from the end of a game to the next pairing, for the last games."""
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
    core.start(0)
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
        core.record(outcome)
        for player in game.players:
            slots[player] = 1
        begin()
        if done >= games - LAST:
            took.append(time.perf_counter() - began)
        if not live:  # the free players met too recently; wait until they may meet again
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


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the figures with their targets."""
    found = results["ladder"]
    what = f"{found['players']} players, {found['games']} finished games"
    wanted = f"under {1000 * WANTED_S:.0f} ms"
    return [
        Figure(
            f"from the end of a game to the next pairing, median; {what}",
            f"{1000 * found['median']:.2f} ms",
            wanted,
            found["median"] < WANTED_S,
        ),
        Figure(
            "99 of 100 of them", f"{1000 * found['p99']:.2f} ms", wanted, found["p99"] < WANTED_S
        ),
        Figure("the longest", f"{1000 * found['most']:.2f} ms", "", None),
        Figure("the whole table", f"{1000 * found['standings']:.1f} ms", "", None),
    ]
