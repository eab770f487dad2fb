"""The bot that the lobby's primary button begins a game with."""

from __future__ import annotations

from doublecross.client.tk.models.lobby.alone import LevelOpponent, level_opponent
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.snapshots import LobbySnapshot
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from doublecross.protocol.server_messages import LobbySeek

LEVELS = Levels(("easy", "medium"))
ANN = PlayerInfo(name="Ann", kind="human")
BOB = PlayerInfo(name="Bob", kind="human")
EASY = PlayerInfo(name="easy-2", kind="bot", engine=EngineInfo(name="easy", version="1"))
MEDIUM = PlayerInfo(name="medium", kind="bot", engine=EngineInfo(name="medium", version="1"))
RULES = PlayerInfo(name="rules", kind="bot", engine=EngineInfo(name="rules", version="1"))


def found(
    *players: PlayerInfo,
    seeks: tuple[LobbySeek, ...] = (),
    usual: str = "",
    coming: tuple[str, ...] = (),
) -> LevelOpponent | None:
    lobby = LobbySnapshot("me", players, seeks, (), stale=False)
    return level_opponent(lobby, "Ann", LEVELS, usual, coming)


def test_it_is_the_weakest_level_or_the_one_chosen_last() -> None:
    assert found(ANN, MEDIUM, EASY) == LevelOpponent("easy", "easy-2")
    assert found(ANN, MEDIUM, EASY, usual="level:medium") == LevelOpponent("medium", "medium")
    assert found(ANN, MEDIUM, EASY, usual="spec:mcts") == LevelOpponent("easy", "easy-2")


def test_a_level_that_is_coming_counts() -> None:
    assert found(ANN, coming=("easy",)) == LevelOpponent("easy", None)
    assert found(ANN, MEDIUM, coming=("easy", "medium")) == LevelOpponent("easy", None)


def test_it_is_nobody_while_a_person_or_an_offer_is_there_or_no_level_is() -> None:
    time = TimeControl.parse("300+3")
    settings = MatchSettings(game="dots-and-boxes", params={"rows": 5, "cols": 5}, time=time)
    offer = LobbySeek(seek="s1", player=RULES, settings=settings, seat=None)
    assert found(ANN, BOB, EASY) is None
    assert found(ANN, EASY, seeks=(offer,)) is None
    assert found(ANN, RULES) is None
    assert level_opponent(None, "Ann", LEVELS, "", ("easy",)) is None
