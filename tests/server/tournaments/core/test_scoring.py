"""Places of entrants who leave, are set aside, fail or are taken back; unplayed games and byes."""

from __future__ import annotations

from collections import Counter

import pytest

from doublecross.server.tournaments.core.errors import TournamentError
from doublecross.server.tournaments.core.standings import Standing
from tests.server.tournaments.core.hall import Hall, make_terms


def began(format_: str, players: int, **terms: object) -> Hall:
    hall = Hall(make_terms(format_, **terms))
    hall.fill(players)
    hall.start()
    return hall


def lines(hall: Hall) -> dict[int, Standing]:
    hall.check()
    hall.check_restored()
    return {line.number: line for line in hall.tournament.standings()}


def play_all_but(hall: Hall, number: int, games: int, set_aside: bool = True) -> None:
    """Play to the end; the lower number wins, and an entrant plays only so many games."""
    while hall.status == "running":
        assert hall.begin() or hall.games
        tag, game = next(iter(hall.games.items()))
        winner = min(game.players)
        scores = (9, 0) if number in game.players else (5, 4)
        seat = game.players.index(winner)
        hall.finish(tag, seat, scores=scores if seat == 0 else scores[::-1])
        played = sum(number in each.players for each in hall.begun) - sum(
            number in each.players for each in hall.games.values()
        )
        if set_aside and played >= games and hall.entrants[number].state == "in":
            hall.keep(hall.tournament.set_aside(number, "for a test"))


# -- round robin -----------------------------------------------------------------------------------


def test_who_played_less_than_half_ranks_last_and_its_games_do_not_count() -> None:
    """FIDE C.06, article 5.4: such a score stays in the table but not in the final standings."""
    hall = began("round-robin", 5, pairs=2)
    play_all_but(hall, 4, 2)
    table = lines(hall)
    assert [n for n, _ in sorted(table.items(), key=lambda item: item[1].place)] == [0, 1, 2, 3, 4]
    assert (table[3].place, table[4].place) == (4, 5)  # 3 lost all its games, with fewer boxes
    assert {n: line.points for n, line in table.items()} == {0: 12, 1: 8, 2: 4, 3: 0, 4: 0}
    against = [line for line in table.values() if line.bonus]
    assert [(line.number, line.bonus) for line in against if line.games > 12] == [
        (line.number, -2) for line in against
    ]
    assert len(against) == 1


def test_points_of_who_played_half_count_and_its_other_games_are_won_by_opponents() -> None:
    hall = began("round-robin", 5, pairs=2)
    play_all_but(hall, 0, 8)  # eight of sixteen games, all won
    table = lines(hall)
    assert table[0].points == 8
    assert table[0].bonus == 0
    rest = [table[n] for n in range(1, 5)]
    assert sum(line.bonus for line in rest) == 8
    for line in rest:
        unplayed = 4 - sum(
            2 for c, ps in hall.by_couple().items() for _ in ps if c == {0, line.number}
        )
        assert line.bonus == unplayed
    assert {line.points for line in rest} != {0}


def test_between_two_all_games_count_even_if_one_is_set_aside() -> None:
    hall = began("round-robin", 2, pairs=5)
    play_all_but(hall, 1, 2)
    table = lines(hall)
    assert [(table[n].place, table[n].points) for n in (0, 1)] == [(1, 2), (2, 0)]


def test_with_equal_points_who_is_out_ranks_behind_who_is_in() -> None:
    hall = began("swiss", 4, rounds=2)
    play_all_but(hall, 3, 2)
    table = lines(hall)
    assert table[3].points == 0
    assert table[3].place == 4


def test_the_hero_of_a_gauntlet_is_first_although_others_play_fewer_games() -> None:
    hall = began("gauntlet", 4, pairs=2)
    play_all_but(hall, 3, 1)
    table = lines(hall)
    assert [table[n].place for n in (0, 1, 2, 3)] == [1, 2, 2, 4]
    assert {line.bonus for line in table.values()} == {0}


# -- byes ----------------------------------------------------------------------------------------


def test_a_bye_gives_nothing_to_who_lost_all_games_by_failure() -> None:
    hall = began("swiss", 3, rounds=3, pairs=2, patience=1000)
    while hall.status == "running":
        hall.begin()
        tag, game = next(iter(hall.games.items()))
        loser = max(game.players)
        hall.finish(tag, 1 - game.players.index(loser), "crash" if loser == 2 else "completed")
    table = lines(hall)
    assert {n: line.byes for n, line in table.items()} == {0: 1, 1: 1, 2: 1}
    assert {n: line.bonus for n, line in table.items()} == {0: 4, 1: 4, 2: 0}


def test_who_is_set_aside_loses_the_points_of_a_bye_and_gets_them_back() -> None:
    hall = began("swiss", 3, rounds=3)
    (bye,) = [p.first for p in hall.pairings.values() if p.second is None]
    assert lines(hall)[bye].points == 2
    hall.keep(hall.tournament.set_aside(bye, "for a test"))
    assert lines(hall)[bye].points == 0
    hall.keep(hall.tournament.take_back(bye, hall.now))
    assert lines(hall)[bye].points == 2


def test_pairs_that_were_never_begun_count_for_the_opponent_of_who_left() -> None:
    hall = began("swiss", 4, rounds=1, pairs=50)
    hall.begin()
    hall.leave("bot1")
    for tag in list(hall.games):
        hall.finish(tag, 0)
    opponent = hall.pairings[0].first if hall.pairings[0].second == 1 else hall.pairings[0].second
    assert opponent is not None
    assert lines(hall)[opponent].bonus == 100
    hall.join("bot1")
    assert lines(hall)[opponent].bonus == 0
    hall.play_out()
    assert {len(ps) for ps in hall.by_couple().values()} == {50}


# -- taken back ----------------------------------------------------------------------------------


@pytest.mark.parametrize("format_", ["round-robin", "gauntlet", "swiss", "ladder"])
def test_who_is_taken_back_plays_on_and_fails_anew(format_: str) -> None:
    pairs = 1 if format_ == "ladder" else 3
    hall = began(format_, 4, rounds={"swiss": 3, "ladder": 30}.get(format_), pairs=pairs)
    failed = 0
    while hall.entrants[1].state == "in":
        hall.begin()
        tag, game = next(iter(hall.games.items()))
        crash = 1 in game.players
        failed += crash
        hall.finish(tag, game.players.index(0 if 0 in game.players else max(game.players)), "crash")
        for number in (0, 2, 3):
            if hall.entrants[number].state == "aside":
                hall.keep(hall.tournament.take_back(number, hall.now))
    assert failed >= 3
    hall.now += 1000
    hall.keep(hall.tournament.take_back(1, hall.now))
    assert hall.entrants[1].state == "in"
    assert lines(hall)[1].state == "in"
    hall.restart()
    assert hall.entrants[1].state == "in"
    hall.play_out()
    assert hall.status == "finished"
    if format_ == "round-robin":
        assert Counter(map(len, hall.by_couple().values())) == {3: 6}


def test_only_who_is_set_aside_can_be_taken_back() -> None:
    hall = began("round-robin", 3)
    with pytest.raises(TournamentError, match="bot1 is not set aside"):
        hall.tournament.take_back(1, hall.now)
    knockout = began("knockout", 4)
    knockout.keep(knockout.tournament.set_aside(1, ""))
    with pytest.raises(TournamentError, match="was set aside, and players of this format cannot"):
        knockout.tournament.take_back(1, knockout.now)
    knockout.check()


# -- openings ------------------------------------------------------------------------------------


def test_players_who_meet_again_in_a_swiss_tournament_get_new_openings() -> None:
    hall = began("swiss", 4, rounds=9, pairs=2, more_openings=True)
    hall.play_out()
    hall.check()
    hall.check_restored()
    assert max(len(pairings) for pairings in hall.by_couple().values()) >= 6
    for pairings in hall.by_couple().values():
        assert len({pairing.opening for pairing in pairings}) == len(pairings)
