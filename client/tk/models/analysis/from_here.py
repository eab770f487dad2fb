"""Play on from a position of a review: the settings of the match, and who begins."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.client.language import plural, tr
from doublecross.games.api import Game
from doublecross.protocol.common import MatchSettings


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
        begun = plural("After 1 move", "After {n} moves", count)
        if not count:
            begun = tr("After the opening") if self.opening else tr("From the beginning")
        first, second = self.scores
        name = self.names[self.mover]
        if self.game.unit and count:
            return tr(
                "{begun} the score is {first} : {second}, and {name} is to move.",
                begun=begun,
                first=first,
                second=second,
                name=name,
            )
        return tr("{begun}, {name} is to move.", begun=begun, name=name)

    def side(self, seat: int) -> str:
        """Return the name of a side, such as ``Ann's side (to move)``."""
        name = self.names[seat]
        # In English, names that end with an s get no other one.
        side = tr("{name}' side") if name.endswith("s") else tr("{name}'s side")
        own = side.format(name=name)
        return tr("{side} (to move)", side=own) if seat == self.mover else own
