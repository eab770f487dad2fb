"""Swiss: rounds, byes, avoided second meetings, entrants who leave or join late."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from doublecross.server.core.tournament_rows import Pairing
from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.server.tournaments.core.formats.matching import match
from tests.server.tournaments.core.simulated_server import SimulatedServer, make_terms


def began(players: int, rounds: int, at_once: int = 1, **terms: object) -> SimulatedServer:
    server = SimulatedServer(make_terms("swiss", rounds=rounds, **terms))
    server.fill(players, at_once)
    server.start()
    return server


def by_round(server: SimulatedServer) -> dict[int, list[Pairing]]:
    rounds: dict[int, list[Pairing]] = {}
    for number in sorted(server.pairings):
        rounds.setdefault(server.pairings[number].round, []).append(server.pairings[number])
    return rounds


@pytest.mark.parametrize(
    ("players", "rounds", "pairs"),
    [
        (2, 1, 1),
        (3, 3, 1),
        (4, 3, 2),
        (5, 5, 1),
        (6, 5, 1),
        (7, 7, 1),
        (8, 4, 3),
        (12, 6, 1),
        (40, 8, 1),
        (79, 5, 1),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_nobody_meets_twice_and_byes_are_fair(
    players: int, rounds: int, pairs: int, seed: int
) -> None:
    rng = Random(seed)
    server = began(players, rounds, pairs=pairs)
    server.play_out(lambda game: rng.choice((*game.players, None)))
    server.check()
    server.check_restored()
    assert server.status == "finished"
    assert sorted(by_round(server)) == list(range(rounds))
    assert all(len(pairings) == pairs for pairings in server.by_couple().values())
    for pairings in by_round(server).values():
        there = Counter(n for p in pairings for n in (p.first, p.second) if n is not None)
        byes = [p.first for p in pairings if p.second is None]
        assert len(byes) == players % 2
        assert there == {n: 1 if n in byes else pairs for n in range(players)}
    byes_of = Counter(p.first for p in server.pairings.values() if p.second is None)
    if players % 2:
        assert max(byes_of.values()) - min(byes_of[n] for n in range(players)) <= 1
    for line in server.tournament.standings():
        assert line.byes == byes_of[line.number]
        assert line.bonus == 2 * pairs * line.byes


def test_opponents_meet_again_only_when_it_cannot_be_avoided() -> None:
    server = began(4, 5)
    server.play_out()
    assert sorted(len(ps) for ps in server.by_couple().values()) == [1, 1, 2, 2, 2, 2]
    server.check()


def test_entrants_with_equal_points_meet() -> None:
    server = began(8, 3)
    server.play_out()  # the lower number wins
    rounds = by_round(server)
    assert [(p.first, p.second) for p in rounds[0]] == [(0, 1), (2, 3), (4, 5), (6, 7)]
    assert [(p.first, p.second) for p in rounds[1]] == [(0, 2), (4, 6), (1, 3), (5, 7)]
    assert [(p.first, p.second) for p in rounds[2]] == [(0, 4), (1, 2), (5, 6), (3, 7)]
    assert server.tournament.standings()[0].points == 6


def test_seeds_decide_between_equal_points() -> None:
    server = SimulatedServer(make_terms("swiss", rounds=1))
    for name, rating in (("a", None), ("b", 1400.0), ("c", 1600.0), ("d", None)):
        server.join(name, seed_rating=rating)
    server.start()
    assert set(server.by_couple()) == {frozenset((2, 1)), frozenset((0, 3))}


def test_the_next_round_waits_for_the_last_and_only_for_that() -> None:
    server = began(4, 2)
    server.play_out(hangs=[3])
    assert len(by_round(server)) == 1
    server.keep(server.tournament.set_aside(3, "was away"))
    assert len(by_round(server)) == 1  # its game is live still
    server.finish(next(iter(server.games)), 0)
    assert len(by_round(server)) == 2
    lines = {line.number: line for line in server.tournament.standings()}
    assert lines[2].bonus == 2 + 2 * (by_round(server)[1][-1].first == 2)
    server.check()
    server.play_out()
    assert server.status == "finished"


def test_points_of_unplayed_pairs_count_until_the_opponent_returns() -> None:
    server = began(4, 2, pairs=2)
    server.leave("bot1")
    lines = {line.number: line for line in server.tournament.standings()}
    assert (lines[0].points, lines[0].bonus, lines[1].points) == (4, 4, 0)
    assert server.pairings[0].state == "unplayed"
    server.check()
    server.join("bot1")
    assert server.pairings[0].state == "open"
    assert {line.points for line in server.tournament.standings()} == {0}
    server.play_out()
    server.check()
    assert all(p.state == "done" for p in server.pairings.values())


def test_unplayed_pairs_of_a_cancelled_tournament_give_no_points() -> None:
    server = began(4, 2)
    server.keep(server.tournament.cancel())
    assert {p.state for p in server.pairings.values()} == {"unplayed"}
    assert {line.points for line in server.tournament.standings()} == {0}


def byes(server: SimulatedServer) -> list[int]:
    """Return who has a bye, round by round."""
    return [p.first for _, p in sorted(server.pairings.items()) if p.second is None]


@pytest.mark.parametrize(
    ("ends", "bye"),
    [
        ((), 2),  # 5 leaves before a game
        (("disconnect", "disconnect"), 2),
        (("disconnect",), 2),
        (("disconnect", "completed"), 4),
        (("timeout", "timeout"), 4),
        (("crash", "disconnect"), 4),
    ],
)
def test_who_won_an_encounter_without_play_gets_no_bye(ends: tuple[str, ...], bye: int) -> None:
    server = began(6, 6, patience=9)

    def win(game: NewGame) -> int | None:
        """Let 4 win nothing but the encounter with 5, and have it last in the third round."""
        return (
            min(game.players)
            if server.pairings[game.tag.pairing].round and 4 in game.players
            else None
        )

    for end in ends:
        game = next(game for game in server.begin() if 5 in game.players)
        server.finish(game.tag, game.players.index(4), end)
    server.leave("bot5")
    server.play_out(win)
    first, second, *others = byes(server)
    assert (first, second) == (3, bye)
    # All get one such round before anybody gets a second one.
    due = 4 if bye == 2 else 5
    assert len(set(byes(server)[:due])) == due
    assert (4 in byes(server)[:due]) == (bye == 4)
    assert len(others) == 3
    server.check()
    server.check_restored()


def test_a_latecomer_comes_in_with_the_next_round() -> None:
    server = began(4, 3, late=True)
    server.begin()
    number = server.join("late")
    assert all(number not in (p.first, p.second) for p in server.pairings.values())
    server.play_out()
    rounds = by_round(server)
    assert all(any(number in (p.first, p.second) for p in rounds[r]) for r in (1, 2))
    assert server.status == "finished"
    server.check()


def test_each_round_has_new_openings_also_after_one_that_ended_early() -> None:
    server = began(4, 3, pairs=2, late=True, more_openings=True)
    server.begin()
    server.leave("bot0")
    server.leave("bot1")
    server.join("late")
    server.play_out()
    rounds = by_round(server)
    numbers = [{p.opening_number for p in rounds[r] if p.second is not None} for r in range(3)]
    assert numbers[0] <= {0, 1}
    assert numbers[1:] == [{2, 3}, {4, 5}]
    server.check()


def test_it_ends_when_one_is_left() -> None:
    server = began(3, 3)
    server.leave("bot0")
    server.leave("bot1")
    assert server.status == "finished"
    server.check()


def exhaustive(size: int, edges: set[tuple[int, int]]) -> int:
    """Return the largest number of edges that share no vertex."""
    if size < 2:
        return 0
    last = size - 1
    best = exhaustive(last, edges)
    for one, other in edges:
        if other == last:
            rest = {e for e in edges if one not in e and last not in e}
            best = max(best, 1 + exhaustive(last, rest))
    return best


def test_matchings_are_as_large_as_any() -> None:
    rng = Random(3)
    for _ in range(800):
        size = rng.randrange(2, 12)
        share = rng.choice((0.15, 0.2, 0.3))
        edges = {e for e in combinations(range(size), 2) if rng.random() < share}
        neighbours = [
            [b for b in range(size) if tuple(sorted((a, b))) in edges] for a in range(size)
        ]
        for others in neighbours:
            rng.shuffle(others)
        mates = match(neighbours)
        for vertex, mate in enumerate(mates):
            if mate is not None:
                assert mates[mate] == vertex
                assert mate in neighbours[vertex]
        assert sum(mate is not None for mate in mates) == 2 * exhaustive(size, edges)


def test_the_pairings_of_a_round_are_known_before_its_games_may_begin() -> None:
    server = began(4, 2, pairs=2, at_once=9)
    server.tournament.begin_rounds(1)
    server.play_out()
    assert {pairing.round for pairing in server.pairings.values()} == {0, 1}
    assert (server.tournament.waiting_round, server.tournament.progress().played) == (1, 8)
    assert not server.tournament.can_begin_without(())
    assert server.tournament.begin_rounds(2)
    assert server.tournament.waiting_round is None
    server.play_out()
    assert server.status == "finished"
    server.check()
