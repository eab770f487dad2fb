"""Round robin and gauntlet: opponents, order of games, entrants who leave, return or join late."""

from __future__ import annotations

from collections import Counter

import pytest

from doublecross.server.core.tournament_rows import Pairing
from doublecross.server.tournaments.core.errors import TournamentError
from doublecross.server.tournaments.core.formats.round_robin import turn_of
from tests.server.tournaments.core.hall import OPENINGS, Hall, make_terms


def began(format_: str, players: int, at_once: int = 1, **terms: object) -> Hall:
    hall = Hall(make_terms(format_, **terms))
    hall.fill(players, at_once)
    hall.start()
    return hall


@pytest.mark.parametrize("players", range(2, 10))
def test_the_circle_has_every_two_once_in_rounds_that_use_everybody(players: int) -> None:
    turns: dict[int, list[int]] = {}
    for one in range(players):
        for other in range(one):
            turn = turn_of(players, one, other)
            assert turn == turn_of(players, other, one)
            turns.setdefault(turn, []).extend((one, other))
    assert sorted(turns) == list(range(players - 1 + players % 2))
    for turn in turns.values():
        assert len(set(turn)) == len(turn) == players - players % 2


@pytest.mark.parametrize(
    ("players", "pairs", "at_once"), [(2, 1, 1), (5, 3, 1), (6, 2, 3), (7, 7, 2)]
)
def test_every_two_play_all_pairs_from_the_same_openings_with_both_colours(
    players: int, pairs: int, at_once: int
) -> None:
    hall = began("round-robin", players, at_once, pairs=pairs)
    hall.play_out()
    hall.check()
    assert hall.status == "finished"
    couples = hall.by_couple()
    assert len(couples) == players * (players - 1) // 2
    assert all(len(pairings) == pairs for pairings in couples.values())
    for pairings in couples.values():
        assert [pairing.round for pairing in pairings] == list(range(pairs))
        firsts = Counter(pairing.first for pairing in pairings)
        assert max(firsts.values()) - pairs // 2 <= 1
    colours = Counter((game.players, game.opening) for game in hall.begun)
    for couple, pairings in couples.items():
        one, other = couple
        for pairing in pairings:
            there = colours[(one, other), pairing.opening], colours[(other, one), pairing.opening]
            assert there[0] == there[1] > 0
    assert len(hall.begun) == 2 * pairs * len(couples)
    assert [line.number for line in hall.tournament.standings()] == list(range(players))
    assert [line.place for line in hall.tournament.standings()] == list(range(1, players + 1))


def test_everybody_plays_about_as_often_at_any_time() -> None:
    hall = began("round-robin", 8, pairs=4)

    def even() -> None:
        played = Counter(player for game in hall.begun for player in game.players)
        assert max(played.values()) - min(played.values()) <= 4

    hall.play_out(each=even)


def test_a_pair_that_has_begun_goes_first_and_its_games_run_together_if_they_can() -> None:
    hall = began("round-robin", 3, pairs=2)
    (first,) = hall.begin()
    hall.finish(first.tag)
    (second,) = hall.begin()
    assert second.tag == first.tag.__class__("t1", first.tag.pairing, 1, 1)
    both = began("round-robin", 2, at_once=2, pairs=2)
    assert [(g.tag.pairing, g.tag.game) for g in both.begin()] == [(0, 0), (0, 1)]
    assert both.begin() == ()


def test_a_player_that_hangs_delays_nobody_else() -> None:
    hall = began("round-robin", 6, pairs=3)
    hall.play_out(hangs=[2])
    busy = {player for game in hall.games.values() for player in game.players}
    assert len(busy) == 2
    assert 2 in busy
    couples = hall.by_couple()
    for couple, pairings in couples.items():
        if not couple & busy:
            assert [p.state for p in pairings] == ["done"] * 3
    hall.check()


def test_an_absent_player_is_waited_for_and_then_goes_first() -> None:
    hall = began("round-robin", 4, pairs=2)
    hall.offline.add(1)
    hall.play_out()
    assert hall.status == "running"
    assert all((1 in c) == any(p.state == "open" for p in ps) for c, ps in hall.by_couple().items())
    hall.offline.clear()
    assert 1 in hall.begin()[0].players
    hall.play_out()
    assert hall.status == "finished"


def test_nobody_starves_in_favour_of_those_who_play_many_at_once() -> None:
    hall = Hall(make_terms("round-robin", pairs=6))
    for number, at_once in enumerate((8, 8, 8, 1)):
        hall.join(f"bot{number}", at_once)
    hall.start()
    hall.begin()
    assert 3 in {player for game in hall.begun for player in game.players}

    def busy() -> None:
        hall.begin()
        mine = [p for c, ps in hall.by_couple().items() if 3 in c for p in ps]
        if any(p.state == "open" for p in mine):
            assert any(3 in game.players for game in hall.games.values())

    hall.play_out(each=busy)


def test_the_opponent_that_has_begun_the_fewest_games_is_next() -> None:
    hall = began("round-robin", 4, pairs=4)
    hall.offline.update((0, 3))
    for _ in range(8):
        (game,) = hall.begin()
        hall.finish(game.tag)
    hall.offline.clear()
    hall.offline.add(2)  # 1 has played eight games, 0 and 3 none
    assert [set(game.players) for game in hall.begin()] == [{0, 3}]


def test_nobody_plays_more_games_at_once_than_its_own_limit() -> None:
    hall = began("round-robin", 3, at_once=2, pairs=4)
    for _ in range(2):
        hall.keep((started := hall.tournament.next_games(dict.fromkeys(range(3), 9), 0)).changes)
        hall.games.update((game.tag, game) for game in started.games)
    assert sorted(hall.slots().values()) in ([0, 0, 0], [0, 0, 2])


def test_a_void_game_voids_its_pair_which_is_replayed() -> None:
    hall = began("round-robin", 2)
    (first,) = hall.begin()
    hall.finish(first.tag, 0)
    (second,) = hall.begin()
    changes = hall.finish(second.tag, None, "void")
    assert not changes
    hall.check()
    assert hall.tournament.standings()[0].games == 0
    replayed = [hall.begin()[0].tag]
    hall.finish(replayed[0], 1)
    replayed.append(hall.begin()[0].tag)
    hall.finish(replayed[1], 0)
    assert [(t.pairing, t.game, t.attempt) for t in replayed] == [(0, 0, 2), (0, 1, 2)]
    assert hall.status == "finished"
    lines = hall.tournament.standings()
    loser, winner = hall.pairings[0].first, hall.pairings[0].second
    assert {line.number: line.points for line in lines} == {loser: 0, winner: 2}
    assert lines[0].terminations == {"completed": 3, "void": 1}
    hall.check()
    hall.check_restored()


def test_the_other_game_of_a_void_pair_goes_on_but_does_not_count() -> None:
    hall = began("round-robin", 2, at_once=2)
    zero, one = hall.begin()
    hall.finish(zero.tag, None, "aborted")
    again = hall.begin()
    assert [g.tag.attempt for g in again] == [2]  # the old game takes one of two places
    assert not hall.finish(one.tag, 0)
    hall.check()
    assert hall.tournament.standings()[0].games == 0
    hall.play_out()
    assert hall.status == "finished"
    assert hall.tournament.standings()[0].games == 2


def test_a_repeated_outcome_changes_nothing() -> None:
    hall = began("round-robin", 3)
    hall.play_out()
    before = hall.tournament.standings()
    for outcome in hall.outcomes:
        assert not hall.tournament.record(outcome)
    assert hall.tournament.standings() == before


def test_a_game_whose_room_was_not_opened_is_played_later() -> None:
    hall = began("round-robin", 2)
    (game,) = hall.begin()
    del hall.games[game.tag]
    hall.begun.clear()
    assert not hall.tournament.withdraw(game.tag)
    hall.check()
    assert hall.begin() == (game,)


def test_an_entrant_who_leaves_gets_no_more_games_and_live_ones_count() -> None:
    hall = began("round-robin", 3, at_once=2, pairs=2)
    games = hall.begin()
    two = set(games[0].players)
    name = hall.entrants[min(two)].name
    hall.leave(name)
    hall.check()
    hall.play_out()
    hall.check()
    assert sum(min(two) in couple for couple in hall.by_couple()) == 1
    assert hall.status == "finished"
    line = next(s for s in hall.tournament.standings() if s.name == name)
    assert (line.state, line.games) == ("left", 2)


def test_an_entrant_who_returns_plays_the_remaining_games_and_meets_newcomers() -> None:
    hall = began("round-robin", 3, pairs=2, late=True)
    hall.leave("bot1")
    hall.join("late")
    hall.join("bot1")
    hall.play_out()
    assert all(len(ps) == 2 for ps in hall.by_couple().values())
    assert len(hall.by_couple()) == 6
    assert all(p.state == "done" for p in hall.pairings.values())
    hall.check()


def test_a_latecomer_meets_everybody_and_catches_up_first() -> None:
    hall = began("round-robin", 4, pairs=3, late=True)
    for _ in range(10):
        hall.begin()
        hall.finish(next(iter(hall.games)))
    number = hall.join("late")
    for _ in range(4):
        hall.begin()
        hall.finish(next(iter(hall.games)))
    assert any(number in game.players for game in hall.begun)
    hall.play_out()
    assert len(hall.by_couple()) == 10
    assert all(len(ps) == 3 for ps in hall.by_couple().values())
    assert hall.status == "finished"


def test_in_a_gauntlet_the_hero_plays_everybody_else() -> None:
    hall = began("gauntlet", 5, pairs=3, hero="bot3", late=True)
    hall.join("late")
    hall.play_out(lambda game: 3)
    assert {frozenset((3, n)) for n in (0, 1, 2, 4, 5)} == set(hall.by_couple())
    assert all(len(ps) == 3 for ps in hall.by_couple().values())
    first, *others = hall.tournament.standings()
    assert (first.number, first.points) == (3, 30)
    assert {line.place for line in others} == {2}
    hall.check()


def test_gauntlet_when_the_hero_goes_and_comes_back() -> None:
    hall = began("gauntlet", 3, late=True, at_once=2)
    games = hall.begin()
    hall.leave("bot0")
    hall.join("late")
    assert hall.begin() == ()
    hall.join("bot0")
    assert len(games) == 2
    hall.play_out()
    assert len(hall.by_couple()) == 3
    assert all(p.state == "done" for p in hall.pairings.values())


def test_gauntlet_needs_its_hero() -> None:
    hall = Hall(make_terms("gauntlet", hero="Zoe"))
    hall.fill(3)
    with pytest.raises(TournamentError, match="Zoe, whom all others play"):
        hall.start()
    assert hall.tournament.status == "open"


def test_too_many_pairs_are_refused_and_change_nothing() -> None:
    hall = Hall(make_terms("round-robin", pairs=10_000))
    hall.fill(7)
    with pytest.raises(TournamentError, match="210000 game pairs to play, more than the 200000"):
        hall.start()
    hall.check()
    assert hall.tournament.status == "open"


def test_rows_of_version_0_1_with_every_pairing_from_the_start_are_played_on() -> None:
    hall = began("round-robin", 4, pairs=2)
    couples = [(k, one, other) for k in range(2) for one in range(4) for other in range(one)]
    for number, (k, one, other) in enumerate(couples):
        hall.pairings[number] = Pairing(number, k, one, other, OPENINGS[k], "open")
    hall.restart()
    assert hall.tournament.progress().planned == 24
    hall.play_out()
    assert hall.status == "finished"
    assert len(hall.pairings) == 12
    assert {pairing.state for pairing in hall.pairings.values()} == {"done"}
    assert {pairing.opening_number for pairing in hall.pairings.values()} == {None}
    hall.check()
    hall.check_restored()
