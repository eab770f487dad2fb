"""Round robin and gauntlet: opponents, order of games, entrants who leave, return or join late."""

from __future__ import annotations

from collections import Counter

import pytest

from doublecross.server.core.errors import Refused
from doublecross.server.core.tournament_rows import Pairing
from doublecross.server.tournaments.core.formats.round_robin import turn_of
from tests.server.tournaments.core.simulated_server import OPENINGS, SimulatedServer, make_terms


def began(format_: str, players: int, at_once: int = 1, **terms: object) -> SimulatedServer:
    server = SimulatedServer(make_terms(format_, **terms))
    server.fill(players, at_once)
    server.start()
    return server


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
    server = began("round-robin", players, at_once, pairs=pairs)
    server.play_out()
    server.check()
    assert server.status == "finished"
    couples = server.by_couple()
    assert len(couples) == players * (players - 1) // 2
    assert all(len(pairings) == pairs for pairings in couples.values())
    for pairings in couples.values():
        assert [pairing.round for pairing in pairings] == list(range(pairs))
        firsts = Counter(pairing.first for pairing in pairings)
        assert max(firsts.values()) - pairs // 2 <= 1
    colours = Counter((game.players, game.opening) for game in server.begun)
    for couple, pairings in couples.items():
        one, other = couple
        for pairing in pairings:
            there = colours[(one, other), pairing.opening], colours[(other, one), pairing.opening]
            assert there[0] == there[1] > 0
    assert len(server.begun) == 2 * pairs * len(couples)
    assert [line.number for line in server.tournament.standings()] == list(range(players))
    assert [line.place for line in server.tournament.standings()] == list(range(1, players + 1))


def test_everybody_plays_about_as_often_at_any_time() -> None:
    server = began("round-robin", 8, pairs=4)

    def even() -> None:
        played = Counter(player for game in server.begun for player in game.players)
        assert max(played.values()) - min(played.values()) <= 4

    server.play_out(each=even)


def test_a_pair_that_has_begun_goes_first_and_its_games_run_together_if_they_can() -> None:
    server = began("round-robin", 3, pairs=2)
    (first,) = server.begin()
    server.finish(first.tag)
    (second,) = server.begin()
    assert second.tag == first.tag.__class__("t1", first.tag.pairing, 1, 1)
    both = began("round-robin", 2, at_once=2, pairs=2)
    assert [(g.tag.pairing, g.tag.game) for g in both.begin()] == [(0, 0), (0, 1)]
    assert both.begin() == ()


def test_a_player_that_hangs_delays_nobody_else() -> None:
    server = began("round-robin", 6, pairs=3)
    server.play_out(hangs=[2])
    busy = {player for game in server.games.values() for player in game.players}
    assert len(busy) == 2
    assert 2 in busy
    couples = server.by_couple()
    for couple, pairings in couples.items():
        if not couple & busy:
            assert [p.state for p in pairings] == ["done"] * 3
    server.check()


def test_an_absent_player_is_waited_for_and_then_goes_first() -> None:
    server = began("round-robin", 4, pairs=2)
    server.offline.add(1)
    server.play_out()
    assert server.status == "running"
    assert all(
        (1 in c) == any(p.state == "open" for p in ps) for c, ps in server.by_couple().items()
    )
    server.offline.clear()
    assert 1 in server.begin()[0].players
    server.play_out()
    assert server.status == "finished"


def test_nobody_starves_in_favour_of_those_who_play_many_at_once() -> None:
    server = SimulatedServer(make_terms("round-robin", pairs=6))
    for number, at_once in enumerate((8, 8, 8, 1)):
        server.join(f"bot{number}", at_once)
    server.start()
    server.begin()
    assert 3 in {player for game in server.begun for player in game.players}

    def busy() -> None:
        server.begin()
        mine = [p for c, ps in server.by_couple().items() if 3 in c for p in ps]
        if any(p.state == "open" for p in mine):
            assert any(3 in game.players for game in server.games.values())

    server.play_out(each=busy)


def test_the_opponent_that_has_begun_the_fewest_games_is_next() -> None:
    server = began("round-robin", 4, pairs=4)
    server.offline.update((0, 3))
    for _ in range(8):
        (game,) = server.begin()
        server.finish(game.tag)
    server.offline.clear()
    server.offline.add(2)  # 1 has played eight games, 0 and 3 none
    assert [set(game.players) for game in server.begin()] == [{0, 3}]


def test_nobody_plays_more_games_at_once_than_its_own_limit() -> None:
    server = began("round-robin", 3, at_once=2, pairs=4)
    for _ in range(2):
        server.keep(
            (started := server.tournament.next_games(dict.fromkeys(range(3), 9), 0)).changes
        )
        server.games.update((game.tag, game) for game in started.games)
    assert sorted(server.slots().values()) in ([0, 0, 0], [0, 0, 2])


def test_a_void_game_voids_its_pair_which_is_replayed() -> None:
    server = began("round-robin", 2)
    (first,) = server.begin()
    server.finish(first.tag, 0)
    (second,) = server.begin()
    changes = server.finish(second.tag, None, "void")
    assert not changes
    server.check()
    assert server.tournament.standings()[0].games == 0
    replayed = [server.begin()[0].tag]
    server.finish(replayed[0], 1)
    replayed.append(server.begin()[0].tag)
    server.finish(replayed[1], 0)
    assert [(t.pairing, t.game, t.attempt) for t in replayed] == [(0, 0, 2), (0, 1, 2)]
    assert server.status == "finished"
    lines = server.tournament.standings()
    loser, winner = server.pairings[0].first, server.pairings[0].second
    assert {line.number: line.points for line in lines} == {loser: 0, winner: 2}
    assert lines[0].terminations == {"completed": 3, "void": 1}
    server.check()
    server.check_restored()


def test_the_other_game_of_a_void_pair_goes_on_but_does_not_count() -> None:
    server = began("round-robin", 2, at_once=2)
    zero, one = server.begin()
    server.finish(zero.tag, None, "aborted")
    again = server.begin()
    assert [g.tag.attempt for g in again] == [2]  # the old game takes one of two places
    assert not server.finish(one.tag, 0)
    server.check()
    assert server.tournament.standings()[0].games == 0
    server.play_out()
    assert server.status == "finished"
    assert server.tournament.standings()[0].games == 2


def test_a_repeated_outcome_changes_nothing() -> None:
    server = began("round-robin", 3)
    server.play_out()
    before = server.tournament.standings()
    for outcome in server.outcomes:
        assert not server.tournament.record(outcome)
    assert server.tournament.standings() == before


def test_a_game_whose_room_was_not_opened_is_played_later() -> None:
    server = began("round-robin", 2)
    (game,) = server.begin()
    del server.games[game.tag]
    server.begun.clear()
    assert not server.tournament.withdraw(game.tag)
    server.check()
    assert server.begin() == (game,)


def test_an_entrant_who_leaves_gets_no_more_games_and_live_ones_count() -> None:
    server = began("round-robin", 3, at_once=2, pairs=2)
    games = server.begin()
    two = set(games[0].players)
    name = server.entrants[min(two)].name
    server.leave(name)
    server.check()
    server.play_out()
    server.check()
    assert sum(min(two) in couple for couple in server.by_couple()) == 1
    assert server.status == "finished"
    line = next(s for s in server.tournament.standings() if s.name == name)
    assert (line.state, line.games) == ("left", 2)


def test_an_entrant_who_returns_plays_the_remaining_games_and_meets_newcomers() -> None:
    server = began("round-robin", 3, pairs=2, late=True)
    server.leave("bot1")
    server.join("late")
    server.join("bot1")
    server.play_out()
    assert all(len(ps) == 2 for ps in server.by_couple().values())
    assert len(server.by_couple()) == 6
    assert all(p.state == "done" for p in server.pairings.values())
    server.check()


def test_a_latecomer_meets_everybody_and_catches_up_first() -> None:
    server = began("round-robin", 4, pairs=3, late=True)
    for _ in range(10):
        server.begin()
        server.finish(next(iter(server.games)))
    number = server.join("late")
    for _ in range(4):
        server.begin()
        server.finish(next(iter(server.games)))
    assert any(number in game.players for game in server.begun)
    server.play_out()
    assert len(server.by_couple()) == 10
    assert all(len(ps) == 3 for ps in server.by_couple().values())
    assert server.status == "finished"


def test_in_a_gauntlet_the_hero_plays_everybody_else() -> None:
    server = began("gauntlet", 5, pairs=3, hero="bot3", late=True)
    server.join("late")
    server.play_out(lambda game: 3)
    assert {frozenset((3, n)) for n in (0, 1, 2, 4, 5)} == set(server.by_couple())
    assert all(len(ps) == 3 for ps in server.by_couple().values())
    first, *others = server.tournament.standings()
    assert (first.number, first.points) == (3, 30)
    assert {line.place for line in others} == {2}
    server.check()


def test_gauntlet_when_the_hero_goes_and_comes_back() -> None:
    server = began("gauntlet", 3, late=True, at_once=2)
    games = server.begin()
    server.leave("bot0")
    server.join("late")
    assert server.begin() == ()
    server.join("bot0")
    assert len(games) == 2
    server.play_out()
    assert len(server.by_couple()) == 3
    assert all(p.state == "done" for p in server.pairings.values())


def test_gauntlet_needs_its_hero() -> None:
    server = SimulatedServer(make_terms("gauntlet", hero="Zoe"))
    server.fill(3)
    with pytest.raises(Refused, match="Zoe, whom all others play"):
        server.start()
    assert server.tournament.status == "open"


def test_too_many_pairs_are_refused_and_change_nothing() -> None:
    server = SimulatedServer(make_terms("round-robin", pairs=10_000))
    server.fill(7)
    with pytest.raises(Refused, match="210000 game pairs to play, more than the 200000"):
        server.start()
    server.check()
    assert server.tournament.status == "open"


def test_rows_of_version_0_1_with_every_pairing_from_the_start_are_played_on() -> None:
    server = began("round-robin", 4, pairs=2)
    couples = [(k, one, other) for k in range(2) for one in range(4) for other in range(one)]
    for number, (k, one, other) in enumerate(couples):
        server.pairings[number] = Pairing(number, k, one, other, OPENINGS[k], "open")
    server.restart()
    assert server.tournament.progress().planned == 24
    server.play_out()
    assert server.status == "finished"
    assert len(server.pairings) == 12
    assert {pairing.state for pairing in server.pairings.values()} == {"done"}
    assert {pairing.opening_number for pairing in server.pairings.values()} == {None}
    server.check()
    server.check_restored()
