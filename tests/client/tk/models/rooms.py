"""Build snapshots of a scripted room, like those of the network thread."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from doublecross.client.core.room import RoomMirror
from doublecross.client.tk.models.snapshots import RoomSnapshot, room_snapshot
from doublecross.games.registry import game_class
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo, TimeControl
from tests.fakes.rooms import ANN, BOB, FakeRoom

ROBO = PlayerInfo(name="Robo", kind="bot", engine=EngineInfo(name="minimax", version="2"))
ZOE = PlayerInfo(name="Zoe", kind="human")


def settings(
    size: str = "2x2", time: str = "60+1", *, game: str = "dots-and-boxes", **more: Any
) -> MatchSettings:
    """Return match settings with a board size and a time control in short notation."""
    return MatchSettings(
        game=game, params=game_class(game).parse_size(size), time=TimeControl.parse(time), **more
    )


class SeenRoom(FakeRoom):
    """Script a room with `players`, seen by `me`; `now` is the time of its snapshots."""

    def __init__(
        self,
        what: MatchSettings | None = None,
        *,
        players: tuple[PlayerInfo, ...] = (ANN, BOB),
        me: str = "Ann",
        room: str = "r1",
    ) -> None:
        super().__init__(room, what or settings())
        self.me = me
        self.now = 100.0
        for seat, player in enumerate(players):
            self.sit(player, seat)
        if len(players) == 2:
            self.start()

    def moves(self, names: str) -> None:
        """Play moves that are given in the game's notation."""
        for name in names.split():
            self.play(self.game.parse_action(name))

    def some(self, count: int, seed: int = 1, *, safe: bool = False) -> None:
        """Play `count` random moves: those that score first, or with `safe` those that do not
        score.
        """
        rng = Random(seed)
        for _ in range(count):
            if self.state.is_terminal():
                return
            legal = self.state.legal_actions()
            rng.shuffle(legal)
            wanted = (action for action in legal if self._scores(action) is not safe)
            self.play(next(wanted, legal[0]))

    def end(self) -> None:
        """Play random moves until the match is complete."""
        self.some(1000)
        first, second = self.state.scores()
        self.finish("completed", None if first == second else int(second > first))

    def _scores(self, action: int) -> bool:
        state = self.state.clone()
        state.apply(action)
        return state.scores() != self.state.scores()

    def seen(self, who: str = "me", me: str | None = None, **other: Any) -> RoomSnapshot:
        """Return the room as the connection `who` of player `me` sees it; replace some fields."""
        mirror = RoomMirror(self.room_state(1, me=me or self.me), self.now)
        return replace(room_snapshot(who, mirror, self.now), **other)
