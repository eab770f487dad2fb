"""The list of own games: search, results, and what is said about them."""

from __future__ import annotations

from typing import Any

from doublecross.client.tk.models.history import MOST_GAMES, History
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.protocol.history_messages import OwnGame
from tests.fakes.histories import own

LEVELS = Levels(("easy", "medium", "tricky"))


def bot(number: int, engine: str, outcome: str, **changes: Any) -> OwnGame:
    players = {"players": ("Robo", "Ann"), "engines": (engine, ""), "seat": 1}
    return own(number, outcome=outcome, **(players | changes))


GAMES = (
    own(1, private=True),
    bot(2, "easy 1", "won", rated=True),
    bot(3, "easy 2", "drawn"),
    bot(4, "champion 3", "lost"),
    own(5, game="tic-tac-toe", size="3x3x3", outcome="won", scores=(0, 0)),
    own(6, outcome="none", termination="aborted", scores=(0, 0)),
    bot(7, "easygoing 1", "won", size="3x3"),
    own(8, game="chess-of-mars", size="8"),
)


def history(search: str = "") -> History:
    made = History(LEVELS, search)
    made.add(GAMES, more=False)
    return made


def found(search: str) -> list[int]:
    return [int(past.game.game_id[1:]) for past in history(search).matching()]


def test_rows_show_each_game_from_this_players_side() -> None:
    rows = [past.row.cells for past in history().games]
    assert rows[0] == ("Wong", "Dots and Boxes 5 × 5", "lost 12 : 13", "Jan 2, 2026")
    assert rows[1] == ("Robo · easy", "Dots and Boxes 5 × 5", "won 13 : 12", "Jan 3, 2026")
    assert rows[4][1:3] == ("Tic-tac-toe 3 × 3", "won")
    assert rows[5][2] == "no result"
    assert rows[7][1] == "chess-of-mars 8"


def test_a_search_needs_all_words_in_any_case() -> None:
    assert found("") == [1, 2, 3, 4, 5, 6, 7, 8]
    assert found("WONG 5x5") == [1, 6]
    assert found("won") == [2, 5, 7]  # not the games against Wong
    assert found("draw") == [3]
    assert found("casual easy") == [3, 7]
    assert found("private") == [1]
    assert found("robo lost") == [4]
    assert found("no result") == [6]
    assert found("jan 3,") == found("2026-01-03") == [2]
    assert found("tic won") == [5]
    assert found("nobody") == []


def test_the_lines_say_how_many_games_there_are() -> None:
    made = History(LEVELS)
    assert made.line == "Loading your games ..."
    made.add(GAMES[:3], more=True)
    assert (made.line, made.complete) == ("Loading your games ... 3", False)
    assert made.last == GAMES[2]
    made.add(GAMES[2:], more=False)  # a game that finished meanwhile may move one to the next page
    assert (made.line, made.complete) == ("Your 8 games", True)
    assert made.total == "3 won, 1 drawn, 3 lost: 50 %"
    made.search = "easy"
    assert made.line == "3 of your 8 games"
    assert made.total == "2 won, 1 drawn, 0 lost: 83 %"
    made.search = "nobody"
    assert (made.line, made.total) == ("No game has all of these words.", "")
    empty = History(LEVELS)
    empty.add((), more=False)
    assert empty.line == "You have no finished games here yet."
    assert empty.last is None


def test_very_long_lists_end() -> None:
    made = History(LEVELS)
    made.add([own(number) for number in range(MOST_GAMES)], more=True)
    assert made.complete
    assert made.line == "Your newest 2,000 games"
