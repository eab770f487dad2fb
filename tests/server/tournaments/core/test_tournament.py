"""Tournaments of any format: allowed commands, failures in a row, rows that do not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest

from doublecross.server.core.errors import Refused
from doublecross.server.core.tournament_rows import GameOutcome, Pairing, Tag
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.core.tally import Streak
from doublecross.server.tournaments.core.tournament import Tournament
from tests.server.tournaments.core.simulated_server import T0, SimulatedServer, make_terms


def began(
    players: int = 3, at_once: int = 1, format_: str = "round-robin", **terms: object
) -> SimulatedServer:
    server = SimulatedServer(make_terms(format_, **terms))
    server.fill(players, at_once)
    server.start()
    return server


def lose(server: SimulatedServer, number: int, termination: str) -> None:
    """Let the entrant lose one of its games; all other games stay live."""
    while not any(number in game.players for game in server.games.values()):
        server.begin()
        if not any(number in game.players for game in server.games.values()):
            server.finish(next(iter(server.games)))
    tag = next(tag for tag, game in server.games.items() if number in game.players)
    server.finish(tag, 1 - server.games[tag].players.index(number), termination)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda t: t.join("bot0", "bot0 1", 1, T0), "bot0 is in The Cup already"),
        (lambda t: t.join("BOT0", "bot0 1", 1, T0), "bot0 is in The Cup already"),
        (lambda t: t.join("new", "new 1", 1, T0), "nobody may join late"),
        (lambda t: t.join("Zoe", "", 1, T0), "for bots only"),
        (lambda t: t.join("new", "new 1", 0, T0), "at least one game"),
        (lambda t: t.leave("Zoe", ""), "Zoe is not in The Cup"),
        (lambda t: t.set_aside(9, ""), "no entrant 9"),
        (lambda t: t.start(T0), "has started already"),
    ],
)
def test_a_refused_command_changes_nothing(act: Callable[[Tournament], object], words: str) -> None:
    server = began()
    with pytest.raises(Refused, match=words):
        act(server.tournament)
    server.check()
    server.check_restored()


def test_only_those_invited_may_enter() -> None:
    server = SimulatedServer(make_terms("round-robin", invited=("Ann", "Bob"), people=True))
    server.keep(server.tournament.join("ann", "", 1, T0))
    with pytest.raises(Refused, match="Cat is not invited"):
        server.join("Cat")


@pytest.mark.parametrize("players", [0, 1])
@pytest.mark.parametrize("format_", ["round-robin", "swiss", "knockout"])
def test_a_tournament_with_fewer_than_two_players_does_not_start(
    format_: str, players: int
) -> None:
    server = SimulatedServer(make_terms(format_))
    server.fill(players)
    with pytest.raises(Refused, match=f"at least 2 players; it has {players}"):
        server.start()


def test_a_finished_tournament_refuses_all_commands() -> None:
    server = began(2)
    server.play_out()
    for act in (
        lambda t: t.join("new", "new 1", 1, T0),
        lambda t: t.leave("bot0", ""),
        lambda t: t.set_aside(0, ""),
        lambda t: t.start(T0),
        lambda t: t.cancel(),
    ):
        with pytest.raises(Refused, match="The Cup is over"):
            act(server.tournament)
    cancelled = began(2)
    cancelled.keep(cancelled.tournament.cancel())
    with pytest.raises(Refused, match="The Cup was cancelled; this is not possible"):
        cancelled.join("new")


def test_an_entrant_who_left_before_the_start_is_not_paired_and_may_return() -> None:
    server = SimulatedServer(make_terms("round-robin"))
    server.fill(4)
    server.leave("bot1")
    server.leave("bot2")
    server.join("bot2", 3)
    server.start()
    server.play_out()
    assert server.entrants[2].at_once == 3
    assert set(server.by_couple()) == {frozenset(c) for c in ((0, 2), (0, 3), (2, 3))}


def test_another_program_cannot_come_back_for_one_that_left() -> None:
    server = began()
    server.leave("bot1")
    with pytest.raises(Refused, match="entered as bot1 1 and cannot come back as bot1 2"):
        server.tournament.join("bot1", "bot1 2", 1, T0)


def test_games_that_are_live_when_it_is_cancelled_go_on() -> None:
    server = began(4, at_once=2, pairs=3)
    server.begin()
    pairings = {tag.pairing for tag in server.games}
    server.keep(server.tournament.cancel())
    assert server.status == "cancelled"
    assert server.begin() == ()
    server.check()
    server.check_restored()
    for tag in list(server.games):
        server.finish(tag)
    server.check()
    assert {p.number for p in server.pairings.values() if p.state == "done"} == pairings
    assert {p.state for p in server.pairings.values()} == {"done"}


# -- failures ------------------------------------------------------------------------------------


@pytest.mark.parametrize("termination", ["crash", "illegal", "timeout", "disconnect"])
def test_an_entrant_who_keeps_failing_is_set_aside_with_a_reason(termination: str) -> None:
    server = began(4, pairs=5)
    for _ in range(2):
        lose(server, 2, termination)
        assert server.entrants[2].state == "in"
    lose(server, 2, termination)
    assert server.entrants[2].state == "aside"
    how = "illegal action" if termination == "illegal" else termination
    assert server.entrants[2].reason == f"lost 3 games in a row by {how}"
    line = next(s for s in server.tournament.standings() if s.number == 2)
    assert (line.state, line.failures) == ("aside", {termination: 3})
    with pytest.raises(Refused, match=r"excluded \(lost 3 games in a row"):
        server.join("bot2")
    server.check()
    server.check_restored()
    server.play_out()
    server.check()
    assert all((2 in c) or p.state == "done" for c, ps in server.by_couple().items() for p in ps)


def test_a_completed_game_resets_the_count_of_failures() -> None:
    for good in ("completed", "resigned"):
        server = began(2, pairs=5)
        for termination in ("crash", "timeout", good, "crash", "illegal"):
            lose(server, 1, termination)
        assert server.entrants[1].state == "in"
        lose(server, 1, "crash")
        assert (
            server.entrants[1].reason == "lost 3 games in a row (2 by crash, 1 by illegal action)"
        )


def test_failures_of_opponents_do_not_reset_the_count() -> None:
    server = began(2, pairs=5)
    for number in (1, 1, 0, 1):
        lose(server, number, "crash")
    assert (server.entrants[0].state, server.entrants[1].state) == ("in", "aside")


def test_failures_in_a_row_do_not_depend_on_the_order_of_reports() -> None:
    reported = [
        ((at, at, 0, 1), GameOutcome(Tag("t1", at, 0, 1), winner, (5, 4), how, at))
        for at, (winner, how) in enumerate(
            [(1, "crash"), (1, "completed"), (0, "crash"), (1, "timeout"), (1, "illegal")]
        )
    ]
    for order in permutations(reported):
        streak = Streak()
        for at, outcome in order:
            streak.add(at, outcome, 0)
        assert streak.reason == "lost 2 games in a row (1 by illegal action, 1 by timeout)"


def test_games_that_went_on_at_the_same_time_are_one_failure() -> None:
    """A program that is killed loses all of its games at once, and then reconnects."""
    server = SimulatedServer(make_terms("round-robin", pairs=10, patience=3))
    server.fill(2, at_once=4)
    server.start()

    def lose_all(times: int) -> None:
        for _ in range(times):
            server.begin()
            assert len(server.games) == 4
            for tag, game in list(server.games.items()):
                server.finish(tag, 1 - game.players.index(0), "timeout")

    lose_all(2)
    assert server.entrants[0].state == "in"
    server.begin()
    for tag, game in list(server.games.items())[:2]:
        server.finish(tag, 1 - game.players.index(0), "timeout")
    assert server.entrants[0].state == "aside"
    assert server.entrants[0].reason == "lost 9 games in a row by timeout"
    server.restart()
    assert server.entrants[0].state == "aside"


def test_games_without_a_result_do_not_interrupt_a_row_of_failures() -> None:
    server = began(2, pairs=5, patience=2)
    lose(server, 1, "crash")
    server.begin()
    server.finish(next(iter(server.games)), None, "void")
    server.begin()
    lose(server, 1, "crash")
    assert server.entrants[1].state == "aside"


# -- what does not fit ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tag", [Tag("t2", 0, 0, 1), Tag("t1", 9, 0, 1), Tag("t1", 0, 2, 1), Tag("t1", 0, 0, 0)]
)
def test_games_of_other_tournaments_are_refused(tag: Tag) -> None:
    server = began(2)
    with pytest.raises(CorruptTournament):
        server.tournament.record(GameOutcome(tag, 0, (1, 0), "completed", T0))
    with pytest.raises(CorruptTournament):
        server.tournament.withdraw(tag)


def test_rows_that_do_not_fit_are_refused() -> None:
    server = began(3)
    server.entrants[2] = replace(server.entrants[2], name="bot0", engine="bot0 1")
    with pytest.raises(CorruptTournament, match="Entrant 2"):
        server.restored()
    server = began(3)
    server.play_out()
    del server.pairings[0]
    with pytest.raises(CorruptTournament, match="Pairing 1"):
        server.restored()
    server = began(3)
    server.pairings[0] = Pairing(0, 0, 1, 7, (), "open")
    with pytest.raises(CorruptTournament, match="Pairing 0"):
        server.restored()


def test_a_room_that_was_thought_lost_still_counts() -> None:
    """The game was withdrawn and would begin again, but then its outcome is reported."""
    server = began(2)
    (game,) = server.begin()
    server.keep(server.tournament.withdraw(game.tag))
    del server.games[game.tag]
    outcome = GameOutcome(game.tag, 0, (5, 4), "completed", server.now)
    server.outcomes.append(outcome)
    server.keep(server.tournament.record(outcome))
    (second,) = server.begin()
    assert second.tag.game == 1
    server.check()


def test_progress_counts_games() -> None:
    server = began(3, at_once=2, pairs=2)
    server.begin()
    assert (server.tournament.progress().played, server.tournament.progress().live) == (0, 2)
    server.play_out()
    progress = server.tournament.progress()
    assert (progress.played, progress.planned, progress.live) == (12, 12, 0)


@pytest.mark.parametrize("format_", ["round-robin", "gauntlet", "swiss", "knockout"])
def test_the_planned_number_changes_only_when_players_come_or_go(format_: str) -> None:
    server = began(5, pairs=2, format_=format_)
    all_in = server.tournament.progress().planned
    server.begin()
    server.keep(server.tournament.set_aside(3, "was late"))
    seen = {server.tournament.progress().planned}
    for _ in range(6):
        server.finish(next(iter(server.games)))
        server.begin()
        seen.add(server.tournament.progress().planned)
    server.keep(server.tournament.cancel())
    (planned,) = {*seen, server.tournament.progress().planned}
    assert planned is not None
    assert all_in is not None
    assert 6 < planned < all_in
