"""Places of entrants who leave, are set aside, fail or are taken back; unplayed games and byes."""

from __future__ import annotations

from collections import Counter

import pytest

from doublecross.server.core.errors import Refused
from doublecross.server.tournaments.core.allocation import NewGame
from doublecross.server.tournaments.core.standings import Standing
from tests.server.tournaments.core.simulated_server import SimulatedServer, make_terms


def began(format_: str, players: int, **terms: object) -> SimulatedServer:
    server = SimulatedServer(make_terms(format_, **terms))
    server.fill(players)
    server.start()
    return server


def lines(server: SimulatedServer) -> dict[int, Standing]:
    server.check()
    server.check_restored()
    return {line.number: line for line in server.tournament.standings()}


def play_all_but(server: SimulatedServer, number: int, games: int, set_aside: bool = True) -> None:
    """Play to the end; the lower number wins, and an entrant plays only so many games."""
    while server.status == "running":
        assert server.begin() or server.games
        tag, game = next(iter(server.games.items()))
        winner = min(game.players)
        scores = (9, 0) if number in game.players else (5, 4)
        seat = game.players.index(winner)
        server.finish(tag, seat, scores=scores if seat == 0 else scores[::-1])
        played = sum(number in each.players for each in server.begun) - sum(
            number in each.players for each in server.games.values()
        )
        if set_aside and played >= games and server.entrants[number].state == "in":
            server.keep(server.tournament.set_aside(number, "for a test"))


# -- round robin -----------------------------------------------------------------------------------


def test_who_played_less_than_half_ranks_last_and_its_games_do_not_count() -> None:
    """FIDE C.06, article 5.4: such a score stays in the table but not in the final standings."""
    server = began("round-robin", 5, pairs=2)
    play_all_but(server, 4, 2)
    table = lines(server)
    assert [n for n, _ in sorted(table.items(), key=lambda item: item[1].place)] == [0, 1, 2, 3, 4]
    assert (table[3].place, table[4].place) == (4, 5)  # 3 lost all its games, with fewer boxes
    assert {n: line.points for n, line in table.items()} == {0: 12, 1: 8, 2: 4, 3: 0, 4: 0}
    against = [line for line in table.values() if line.bonus]
    assert [(line.number, line.bonus) for line in against if line.games > 12] == [
        (line.number, -2) for line in against
    ]
    assert len(against) == 1


def test_points_of_who_played_half_count_and_its_other_games_are_won_by_opponents() -> None:
    server = began("round-robin", 5, pairs=2)
    play_all_but(server, 0, 8)  # eight of sixteen games, all won
    table = lines(server)
    assert table[0].points == 8
    assert table[0].bonus == 0
    rest = [table[n] for n in range(1, 5)]
    assert sum(line.bonus for line in rest) == 8
    for line in rest:
        unplayed = 4 - sum(
            2 for c, ps in server.by_couple().items() for _ in ps if c == {0, line.number}
        )
        assert line.bonus == unplayed
    assert {line.points for line in rest} != {0}


def test_between_two_all_games_count_even_if_one_is_set_aside() -> None:
    server = began("round-robin", 2, pairs=5)
    play_all_but(server, 1, 2)
    table = lines(server)
    assert [(table[n].place, table[n].points) for n in (0, 1)] == [(1, 2), (2, 0)]


def test_with_equal_points_who_is_out_ranks_behind_who_is_in() -> None:
    server = began("swiss", 4, rounds=2)
    play_all_but(server, 3, 2)
    table = lines(server)
    assert table[3].points == 0
    assert table[3].place == 4


def test_the_hero_of_a_gauntlet_is_first_although_others_play_fewer_games() -> None:
    server = began("gauntlet", 4, pairs=2)
    play_all_but(server, 3, 1)
    table = lines(server)
    assert [table[n].place for n in (0, 1, 2, 3)] == [1, 2, 2, 4]
    assert {line.bonus for line in table.values()} == {0}


# -- byes ----------------------------------------------------------------------------------------


def test_a_bye_gives_nothing_to_who_lost_all_games_by_failure() -> None:
    server = began("swiss", 3, rounds=3, pairs=2, patience=1000)
    while server.status == "running":
        server.begin()
        tag, game = next(iter(server.games.items()))
        loser = max(game.players)
        server.finish(tag, 1 - game.players.index(loser), "crash" if loser == 2 else "completed")
    table = lines(server)
    assert {n: line.byes for n, line in table.items()} == {0: 1, 1: 1, 2: 1}
    assert {n: line.bonus for n, line in table.items()} == {0: 4, 1: 4, 2: 0}


def test_who_is_set_aside_loses_the_points_of_a_bye_and_gets_them_back() -> None:
    server = began("swiss", 3, rounds=3)
    (bye,) = [p.first for p in server.pairings.values() if p.second is None]
    assert lines(server)[bye].points == 2
    server.keep(server.tournament.set_aside(bye, "for a test"))
    assert lines(server)[bye].points == 0
    server.keep(server.tournament.take_back(bye, server.now))
    assert lines(server)[bye].points == 2


def test_pairs_that_were_never_begun_count_for_the_opponent_of_who_left() -> None:
    server = began("swiss", 4, rounds=1, pairs=50)
    server.begin()
    server.leave("bot1")
    for tag in list(server.games):
        server.finish(tag, 0)
    opponent = (
        server.pairings[0].first if server.pairings[0].second == 1 else server.pairings[0].second
    )
    assert opponent is not None
    assert lines(server)[opponent].bonus == 100
    server.join("bot1")
    assert lines(server)[opponent].bonus == 0
    server.play_out()
    assert {len(ps) for ps in server.by_couple().values()} == {50}


# -- taken back ----------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["round-robin", "gauntlet", "swiss", "ladder"])
def test_who_is_taken_back_plays_on_and_fails_anew(format_: str) -> None:
    pairs = 1 if format_ == "ladder" else 3
    server = began(format_, 4, rounds={"swiss": 3, "ladder": 30}.get(format_), pairs=pairs)
    failed = 0
    while server.entrants[1].state == "in":
        server.begin()
        tag, game = next(iter(server.games.items()))
        crash = 1 in game.players
        failed += crash
        server.finish(
            tag, game.players.index(0 if 0 in game.players else max(game.players)), "crash"
        )
        for number in (0, 2, 3):
            if server.entrants[number].state == "aside":
                server.keep(server.tournament.take_back(number, server.now))
    assert failed >= 3
    server.now += 1000
    server.keep(server.tournament.take_back(1, server.now))
    assert server.entrants[1].state == "in"
    assert lines(server)[1].state == "in"
    server.restart()
    assert server.entrants[1].state == "in"
    server.play_out()
    assert server.status == "finished"
    if format_ == "round-robin":
        assert Counter(map(len, server.by_couple().values())) == {3: 6}


def test_only_who_is_set_aside_can_be_taken_back() -> None:
    server = began("round-robin", 3)
    with pytest.raises(Refused, match="bot1 is not excluded"):
        server.tournament.take_back(1, server.now)
    knockout = began("knockout", 4)
    knockout.keep(knockout.tournament.set_aside(1, ""))
    with pytest.raises(Refused, match="is out, and players of this format cannot"):
        knockout.tournament.take_back(1, knockout.now)
    knockout.check()


# -- openings ------------------------------------------------------------------------------------


def test_players_who_meet_again_in_a_swiss_tournament_get_new_openings() -> None:
    server = began("swiss", 4, rounds=9, pairs=2, more_openings=True)
    server.play_out()
    server.check()
    server.check_restored()
    assert max(len(pairings) for pairings in server.by_couple().values()) >= 6
    for pairings in server.by_couple().values():
        assert len({pairing.opening for pairing in pairings}) == len(pairings)


# -- tie-breaks ------------------------------------------------------------------------------------


def test_buchholz_and_sonneborn_berger_of_a_swiss_tournament_with_byes_and_one_who_leaves() -> None:
    """The npm package `tiebreak` 0.4 has the same figures for these rounds, by FIDE's rules."""
    server = began("swiss", 7, rounds=4, tie_breaks=("buchholz", "sonneborn-berger", "net"))

    def result(game: NewGame) -> int | None:
        total = sum(game.players)
        if total % 4 == 1:
            return None
        return min(game.players) if total % 3 else max(game.players)

    def leave_in_the_third_round() -> None:
        last = max(pairing.round for pairing in server.pairings.values())
        if last == 2 and server.entrants[3].state == "in":
            server.leave("bot3")

    server.play_out(result, each=leave_in_the_third_round)
    table = lines(server)
    assert {n: (line.points, *line.tie_breaks[:2]) for n, line in table.items()} == {
        0: (5, 15, 19),
        1: (3, 21, 13),
        2: (5, 17, 19),
        3: (3, 14, 11),
        4: (3, 20, 13),
        5: (7, 20, 37),
        6: (4, 17, 18),
    }
    assert sorted(table, key=lambda n: table[n].place) == [5, 2, 0, 6, 1, 4, 3]


def test_sonneborn_berger_of_a_round_robin_counts_points_times_those_of_the_opponent() -> None:
    server = began("round-robin", 4, tie_breaks=("sonneborn-berger",))
    beaten = {(0, 1): 0, (0, 2): 0, (0, 3): 3, (1, 2): 1, (1, 3): 1, (2, 3): 2}
    server.play_out(lambda game: beaten[min(game.players), max(game.players)])
    table = lines(server)
    assert {n: (line.points, line.tie_breaks) for n, line in table.items()} == {
        0: (4, (2 * 4 + 2 * 2,)),
        1: (4, (2 * 2 + 2 * 2,)),
        2: (2, (2 * 2,)),
        3: (2, (2 * 4,)),
    }
    assert [table[n].place for n in (0, 1, 3, 2)] == [1, 2, 3, 4]


def test_without_tie_breaks_equal_points_share_a_place() -> None:
    server = began("round-robin", 3, tie_breaks=())
    server.play_out(lambda game: None)
    assert {line.place for line in lines(server).values()} == {1}
