"""Simulates ladders and Swiss tournaments between players of known strengths.

They run through the server's own core, because there results decide who meets whom.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Literal

from numpy.random import Generator

from benchmarks.coverage import Field
from doublecross.server.core.tournament_rows import GameOutcome
from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.server.tournaments.core.terms import Terms
from doublecross.server.tournaments.core.tournament import Tournament
from doublecross.stats.elo import EloPairing
from doublecross.stats.pairs import Pentanomial, score_of_elo

_GAME_MS = 2000
"""The mean duration of a game."""


def contest(
    kind: Literal["ladder", "swiss"], truth: list[float], field: Field, generator: Generator
) -> list[EloPairing]:
    """Play one tournament and return its results.

    A ladder ends when each player has played `field.pairs` game pairs on average. A Swiss
    tournament has so many rounds of one pair. Games last for random times, have no draws and are
    independent.
    """
    rng = Random(int(generator.integers(1 << 48)))
    players = len(truth)
    core = Tournament(
        Terms(
            tournament_id="t1",
            name="Contest",
            format=kind,
            game="dots-and-boxes",
            params={"rows": 5, "cols": 5},
            time="10+0.1",
            openings=tuple((n,) for n in range(40)),
            rounds=players * field.pairs // 2 if kind == "ladder" else field.pairs,
        )
    )
    for number in range(players):
        core.join(f"bot {number}", "bot 1", 1, 0)
    core.start(0)
    slots = dict.fromkeys(range(players), 1)
    live: list[tuple[int, NewGame]] = []
    scores: dict[int, list[float]] = defaultdict(list)
    now = 0
    while core.status == "running":
        for game in core.next_games(slots, now).games:
            for player in game.players:
                del slots[player]
            live.append((now + rng.randrange(1, 2 * _GAME_MS), game))
        if not live:  # the free players met too recently; wait until they may meet again
            now += _GAME_MS
            continue
        live.sort(key=lambda each: each[0], reverse=True)
        now, game = live.pop()
        first, second = game.players
        winner = 0 if rng.random() < score_of_elo(truth[first] - truth[second]) else 1
        core.record(GameOutcome(game.tag, winner, (13, 12), "completed", now))
        scores[game.tag.pairing].append(float(game.players[winner] == min(game.players)))
        for player in game.players:
            slots[player] = 1
    found: dict[tuple[int, int], list[float]] = defaultdict(list)
    for number, games in scores.items():
        pairing = core.pairings[number]
        if len(games) == 2 and pairing.second is not None:
            couple = sorted((pairing.first, pairing.second))
            found[couple[0], couple[1]].append(sum(games))
    return [EloPairing(one, two, Pentanomial.of(pairs)) for (one, two), pairs in found.items()]
