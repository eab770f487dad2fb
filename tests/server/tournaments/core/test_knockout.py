"""Knockout: the bracket, byes, tie-breaks, and entrants who leave."""

from __future__ import annotations

import pytest

from doublecross.server.core.errors import Refused
from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.server.tournaments.core.formats.knockout import bracket
from tests.server.tournaments.core.simulated_server import SimulatedServer, make_terms


def began(players: int, at_once: int = 1, **terms: object) -> SimulatedServer:
    server = SimulatedServer(make_terms("knockout", **terms))
    server.fill(players, at_once)
    server.start()
    return server


def matches(server: SimulatedServer, round_: int) -> set[frozenset[int]]:
    return {
        frozenset(n for n in (p.first, p.second) if n is not None)
        for p in server.pairings.values()
        if p.round == round_
    }


def test_the_bracket_keeps_the_best_apart() -> None:
    assert bracket(1) == [0]
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    for size in (2, 4, 16, 64):
        places = bracket(size)
        while len(places) > 1:
            assert sorted(places) == list(range(len(places)))
            twos = list(zip(places[::2], places[1::2], strict=True))
            assert {sum(two) for two in twos} == {len(places) - 1}
            places = [min(two) for two in twos]


@pytest.mark.parametrize("players", range(2, 18))
@pytest.mark.parametrize("pairs", [1, 2])
def test_the_best_wins_and_byes_go_to_the_best_seeds(players: int, pairs: int) -> None:
    server = began(players, pairs=pairs)
    server.play_out()
    server.check()
    server.check_restored()
    assert server.status == "finished"
    lines = server.tournament.standings()
    assert [line.number for line in lines[:2]] == [0, 1]
    assert [line.place for line in lines[:2]] == [1, 2]
    assert [line.place for line in lines[2:4]] == [3] * len(lines[2:4])
    size = 1 << (players - 1).bit_length()
    byes = sorted(p.first for p in server.pairings.values() if p.second is None)
    assert byes == list(range(size - players))
    assert len(server.by_couple()) == players - 1
    assert all(len(pairings) == pairs for pairings in server.by_couple().values())
    assert all(line.bonus == 0 for line in lines)


def test_seed_ratings_come_before_numbers() -> None:
    server = SimulatedServer(make_terms("knockout"))
    for name, rating in (("a", None), ("b", 1400.0), ("c", 1600.0), ("d", 1500.0)):
        server.join(name, seed_rating=rating)
    server.start()
    assert matches(server, 0) == {frozenset((2, 0)), frozenset((3, 1))}


def test_a_match_is_created_as_soon_as_its_players_are_known() -> None:
    server = began(8)
    server.play_out(hangs=[5])
    assert matches(server, 1) == {frozenset((0, 3))}
    server.check()


@pytest.mark.parametrize("breaks", range(4))
def test_a_level_match_goes_on_pair_by_pair(breaks: int) -> None:
    server = began(2, pairs=2)
    most = 4 + 2 * breaks

    def result(game: NewGame) -> int | None:
        return None if len(server.begun) <= most else 1

    server.play_out(result)
    assert server.status == "finished"
    assert len(server.pairings) == 2 + min(3, breaks + 1)
    assert server.tournament.standings()[0].number == (1 if breaks < 3 else 0)
    server.check()


def test_net_scores_and_then_seeds_decide_a_match_that_stays_level() -> None:
    for scores, winner in (((4, 5), 1), ((5, 4), 0), ((4, 4), 0)):
        server = began(2)
        while server.status == "running":
            (game,) = server.begin()
            ordered = scores if game.players == (0, 1) else scores[::-1]
            server.finish(game.tag, None, scores=ordered)
        assert len(server.pairings) == 4
        assert server.tournament.standings()[0].number == winner


def test_an_entrant_who_leaves_loses_the_match_and_cannot_come_back() -> None:
    server = began(4, pairs=2)
    server.begin()
    server.leave("bot0")
    assert matches(server, 1) == set()  # the other match goes on
    with pytest.raises(Refused, match="cannot come back"):
        server.join("bot0")
    server.play_out()
    assert server.status == "finished"
    assert [line.number for line in server.tournament.standings()] == [1, 3, 0, 2]
    server.check()
    server.check_restored()


def test_when_both_players_leave_the_next_opponent_has_a_bye() -> None:
    server = began(4)
    server.leave("bot0")
    server.check_restored()
    server.leave("bot3")
    server.play_out()
    assert matches(server, 1) == {frozenset((1,))}
    assert server.status == "finished"
    assert server.tournament.standings()[0].number == 1


def test_the_last_finalist_wins_when_all_others_have_left() -> None:
    server = began(4)
    server.leave("bot0")
    server.leave("bot1")  # 3 and 2 are in the final
    assert matches(server, 1) == {frozenset((3, 2))}
    server.leave("bot3")
    server.check()
    assert server.status == "finished"
    assert server.tournament.standings()[0].number == 2
    server.check_restored()
