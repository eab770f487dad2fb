"""The sums of a player's games."""

from __future__ import annotations

from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.games.registry import make_game
from doublecross.server.core.profile import Profile
from tests.server.store.samples import game

BOARD = make_game("dots-and-boxes", {"rows": 2, "cols": 2})


def text(*moves: int, opening: tuple[int, ...] = ()) -> str:
    played = tuple(RecordedMove(action, 59_123) for action in moves)
    return format_record(Record(BOARD, ("Ann", "Bob"), played, opening))


def test_a_profile_counts_by_opponent_game_and_first_moves_up_to_symmetry() -> None:
    kind = {"game": "dots-and-boxes", "size": "2x2"}
    rows = [
        # The same first moves: along the top, and along the bottom, which mirrors it.
        game("1", record=text(0, 1, 6), winner=0, **kind),
        game("2", record=text(4, 5), winner=1, players=("BOB", "ann"), **kind),
        game("3", record=text(0, 6), winner=None, players=("Cat", "Ann"), **kind),
        game("4", record=text(0, 1, opening=(6,)), winner=1, players=("Cat", "Ann"), **kind),
        game("5", game="gone", record="x", winner=1),
        game("6", termination="aborted", winner=None, **kind),
    ]
    profile = Profile("ann")
    profile.add(rows)
    told = profile.told()
    assert told["games"] == 5
    assert told["opponents"] == [
        {"name": "Bob", "won": 2, "drawn": 0, "lost": 1},
        {"name": "Cat", "won": 1, "drawn": 1, "lost": 0},
    ]
    board, gone = told["pools"]
    assert (board["won"], board["drawn"], board["lost"]) == (3, 1, 0)
    assert (gone["game"], gone["lost"], gone["openings"]) == ("gone", 1, [])
    first, second = board["openings"]
    assert (first["won"], first["drawn"], first["lost"]) == (2, 0, 0)
    assert (second["drawn"], len(second["moves"])) == (1, 2)
