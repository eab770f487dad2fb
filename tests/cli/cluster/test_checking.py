"""The records of a demo's games are compared with what the players were told."""

from __future__ import annotations

import pytest

from doublecross.cli.cluster.checking import Findings, check
from doublecross.cli.cluster.journal import Ending, Journal, Played, longest_pause
from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.games.registry import make_game

GAME = make_game("dots-and-boxes", {"rows": 1, "cols": 1})
MOVES = (0, 1, 2, 3)
"""They alternate between the seats; the last one takes the box."""


def record(*moves: int, termination: str = "completed", result: str = "0-1") -> str:
    made = tuple(RecordedMove(move) for move in moves)
    return format_record(Record(GAME, ("Ann", "Ben"), made, result=result, termination=termination))


@pytest.fixture
def played() -> Played:
    """Return a game of which both players saw every move and the end."""
    journal = Journal()
    played = journal.begin("abcdefghijkl", 0.0)
    for ply, action in enumerate(MOVES):
        journal.acknowledge(played, ply, ply % 2, action, float(ply))
    played.endings += [Ending(0, 4, (0, 1)), Ending(1, 4, (0, 1))]
    journal.finish(played, "game")
    return played


def test_a_game_that_is_as_told_has_no_problem(played: Played) -> None:
    found = check([(played, record(*MOVES))])
    assert (found.games, found.moves, found.lost, found.other) == (1, 4, 0, 0)
    assert found.problems == []
    total = Findings()
    total.add(found)
    total.add(found)
    assert (total.games, total.moves) == (2, 8)


def test_each_difference_is_a_problem(played: Played) -> None:
    other = check([(played, record(1, 0, 2, 3))])
    assert (other.lost, other.other) == (2, 0), "two acknowledged moves are not those of the record"
    assert other.problems[0] == "Move 0 of room abcdefghijkl is not in its record."

    short = check([(played, record(0, 1, 2, termination="aborted", result="*"))])
    assert short.lost == 1
    assert "The game of room abcdefghijkl was not played to its end: aborted." in short.problems
    assert sum("saw another final position" in each for each in short.problems) == 2

    illegal = check([(played, record(*MOVES).replace("4. ", "4. z9 "))])
    assert illegal.lost == 4
    assert "cannot be read" in illegal.problems[0]

    assert check([(played, "")]).lost == 4, "there is no record"


def test_moves_that_nobody_was_told_and_doubled_ones_are_found(played: Played) -> None:
    del played.acknowledged[2]
    played.doubled.append(1)
    found = check([(played, record(*MOVES))])
    assert (found.lost, found.other) == (0, 2)
    assert "Move 2 of room abcdefghijkl was acknowledged to nobody." in found.problems
    assert "Two moves 1 of room abcdefghijkl were acknowledged." in found.problems


def test_a_journal_counts_moves_pauses_and_games() -> None:
    journal = Journal()
    first, second = journal.begin("aaaaxxxxxxxx", 0.0), journal.begin("bbbbxxxxxxxx", 0.0)
    assert (first.log, second.log) == ("aaaa", "bbbb")
    journal.acknowledge(first, 0, 0, 5, 1.0)
    journal.acknowledge(first, 0, 0, 5, 1.5)
    assert (journal.moves, first.doubled) == (1, []), "the same answer may come twice"
    journal.acknowledge(first, 0, 0, 6, 1.6)
    assert (journal.moves, first.doubled) == (1, [0])
    journal.acknowledge(second, 0, 0, 5, 9.0)
    journal.acknowledge(second, 1, 1, 6, 9.5)
    assert journal.moves_since(8.0) == {"bbbb": 2}
    assert longest_pause([first, second], 5.0) == 9.0
    assert longest_pause([first], 5.0) == 0.0
    journal.finish(first, "game")
    journal.give_up(second, "gone")
    assert (journal.ended, journal.running) == (1, {})
    assert journal.given_up == ["Room bbbbxxxxxxxx: gone"]
    assert journal.take_finished() == [first]
    assert journal.take_finished() == []
