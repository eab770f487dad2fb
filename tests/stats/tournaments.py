"""Make tournaments for tests: single games, or games from given strengths."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

from doublecross.stats.pairs import score_of_elo
from doublecross.stats.results import PlayedGame, Player, Results


def game(
    pair: int, number: int, players: tuple[int, int], winner: int | None, **more: Any
) -> PlayedGame:
    """Return a game; `players` by seat in game 0 of the pair, `winner` is a player's number."""
    by_seat = players if number == 0 else players[::-1]
    values: dict[str, Any] = {
        "scores": (5, 4) if winner == by_seat[0] else (4, 5),
        "termination": "completed",
        "void": False,
        "mean_s": (0.01, 0.02),
        "longest_s": (0.1, 0.2),
        "finished_ms": 1_000_000 + 1000 * pair + number,
        "name": f"{pair}.{number}",
    }
    return PlayedGame(
        pair=pair,
        game=number,  # type: ignore[arg-type]
        players=by_seat,
        winner=None if winner is None else by_seat.index(winner),
        **(values | more),
    )


def pair(
    number: int, players: tuple[int, int], *winners: int | None, **more: Any
) -> list[PlayedGame]:
    """Return the games of a pair with these winners, given by the numbers of players."""
    return [game(number, at, players, winner, **more) for at, winner in enumerate(winners)]


def results(players: Sequence[str], games: Sequence[PlayedGame], **more: Any) -> Results:
    return Results(
        **{
            "title": "A cup",
            "game": "Dots and Boxes 3x3",
            "settings": "0.1 s a move",
            "players": tuple(Player(name) for name in players),
            "games": tuple(games),
            "unit": "boxes",
            **more,
        }
    )


def tournament(strengths: dict[str, float], pairs: int, seed: int = 1, **more: Any) -> Results:
    """Return a tournament in which any two players, with these Elo ratings, play `pairs` pairs."""
    rng = Random(seed)
    elos = list(strengths.values())
    games: list[PlayedGame] = []
    number = 0
    for _ in range(pairs):
        for both in combinations(range(len(elos)), 2):
            for at in (0, 1):
                first, second = both if at == 0 else both[::-1]
                win = score_of_elo(elos[first] - elos[second] + 30)
                winner = None if rng.random() < 0.1 else first if rng.random() < win else second
                boxes = 12 if winner is None else rng.randrange(13, 21)
                scores = (boxes, 24 - boxes) if winner in (first, None) else (24 - boxes, boxes)
                games.append(
                    game(
                        number,
                        at,
                        both,
                        winner,
                        scores=scores,
                        mean_s=(0.002 * (first + 1), 0.002 * (second + 1)),
                        longest_s=(0.05, 0.4),
                        moves=(20, 18),
                        finished_ms=1_790_000_000_000 + 1000 * len(games),
                        name=str(len(games) + 1),
                    )
                )
            number += 1
    return results(list(strengths), games, **more)
