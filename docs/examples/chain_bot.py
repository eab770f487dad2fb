"""A bot for Dots and Boxes that knows chains: it captures, keeps control, and counts handouts.

Play against it: doublecross match chain_bot:ChainBot rules --size 5x5
"""

from doublecross import Bot, Choice
from doublecross.bots.turns import can_decline, turn_strokes
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.dots_and_boxes.structure import analyse, handouts, safe_edges


class ChainBot(Bot):
    """Captures in a good order, declines boxes to keep control, and gives few boxes away."""

    name = "chain-bot"
    version = "1"
    summary = "Keeps control of long chains."

    @classmethod
    def plays(cls, game):
        """Return whether this is Dots and Boxes, of any size."""
        return isinstance(game, DotsAndBoxes)

    def choose(self, state, limit, stop):
        """Choose the next stroke of the turn."""
        if captures := turn_strokes(state):
            decline = can_decline(state) > 0 and self.wants_control(state)
            strokes = turn_strokes(state, decline) if decline else captures
            # A move is one stroke; the next call continues the turn.
            return Choice(strokes[0], pv=tuple(strokes))
        if safe := safe_edges(state):
            return Choice(self.rng.choice(safe))
        given = handouts(state)
        fewest = min(given.values())
        edges = [edge for edge, boxes in given.items() if boxes == fewest]
        # Open a chain of two boxes by its middle edge: then the opponent cannot decline it.
        middle = {chain.edges[1] for chain in analyse(state).chains if len(chain) == 2}
        return Choice(self.rng.choice([e for e in edges if e in middle] or edges))

    def wants_control(self, state):
        """Return whether declining forces the opponent to give away more than it costs."""
        after = state.clone()
        for stroke in turn_strokes(after):
            after.apply(stroke)
        if after.is_terminal() or safe_edges(after):
            return False
        parts = analyse(after)
        # Who has control gets all boxes but two of each chain and four of each loop.
        worth = sum(len(chain) - 4 for chain in parts.chains if len(chain) > 2)
        worth += sum(len(loop) - 8 for loop in parts.loops)
        # The last part is taken as a whole.
        worth += 4 if not parts.loops else 8
        return worth > can_decline(state)
