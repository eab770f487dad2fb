"""Play on from a position of a review: the settings of the match, and who begins."""

from __future__ import annotations

from dataclasses import dataclass

from games.api import Game
from protocol.common import MatchSettings


@dataclass(frozen=True, slots=True)
class StartPosition:
    """The position after `opening` and `moves`, to play on from.

    `mover` is the seat to move, `names` are the players of the game in which it occurred.
    """

    game: Game
    opening: tuple[int, ...]
    moves: tuple[int, ...]
    mover: int
    names: tuple[str, str]
    scores: tuple[int, int]

    @classmethod
    def of(
        cls, game: Game, opening: tuple[int, ...], moves: tuple[int, ...], names: tuple[str, str]
    ) -> StartPosition | None:
        """Return the position after these moves; None if the game is over."""
        state = game.replay(opening, moves)
        if state.is_terminal():
            return None
        return cls(game, opening, moves, state.current_player(), names, state.scores())

    @property
    def settings(self) -> MatchSettings:
        """The settings of a casual match without a clock that begins here."""
        return MatchSettings(
            game=self.game.key,
            params=dict(self.game.params),
            opening=self.opening,
            start=self.moves,
        )

    @property
    def about(self) -> str:
        """The position in a sentence: how many moves are played, and the score."""
        count = len(self.moves)
        begun = f"After {count} moves" if count != 1 else "After 1 move"
        if not count:
            begun = "After the opening" if self.opening else "From the beginning"
        first, second = self.scores
        score = f" the score is {first} : {second}" if self.game.unit and count else ""
        name = self.names[self.mover]
        return f"{begun}{score},{' and' if score else ''} {name} is to move."

    def side(self, seat: int) -> str:
        """Return the name of a side, such as ``Ann's side (to move)``."""
        name = self.names[seat]
        own = f"{name}' side" if name.endswith("s") else f"{name}'s side"
        return f"{own} (to move)" if seat == self.mover else own
