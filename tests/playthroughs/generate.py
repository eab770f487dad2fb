"""Write the golden playthroughs again: ``python -m tests.playthroughs.generate``.

A playthrough describes a random game ply by ply. After an intended change of the rules or of the
notation, run this command and review the difference before you commit it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from doublecross.games.api import State
from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.games.registry import make_game

FOLDER = Path(__file__).parent
PLAYTHROUGHS = {
    "dots_and_boxes": ("dots-and-boxes", "2x2", 2),
    "tic_tac_toe": ("tic-tac-toe", "3x3x3", 1),
    "connect_four": ("connect-four", "3x4x3", 2),
    "nim_misere": ("nim", "1x2x3x0x1", 0),
    "nim_normal": ("nim", "1x3x2x0x0", 1),
}
"""File name: game, size, length of the opening."""


def playthrough(name: str) -> str:
    """Return the text of one playthrough."""
    key, size, length = PLAYTHROUGHS[name]
    game = make_game(key, make_game(key).parse_size(size))
    rng = Random(name)
    opening = game.openings(rng, 1, length).found[0]
    state = game.initial_state(opening)
    parts = [
        f"{game!r}",
        f"actions: {game.num_actions}",
        f"names: {' '.join(game.action_name(a) for a in range(game.num_actions))}",
        f"opening: {opening}",
        position(state),
    ]
    moves = []
    while not state.is_terminal():
        seat, action = state.current_player(), rng.choice(state.legal_actions())
        state.apply(action)
        moves.append(RecordedMove(action, 60_000 - 250 * state.ply))
        parts.append(f"{game.seat_names[seat]} plays {game.action_name(action)}, action {action}")
        parts.append(position(state))
    first, second = state.returns()
    result = "1-0" if first > second else "0-1" if first < second else "1/2-1/2"
    record = Record(
        game, ("Ann", "Bob"), tuple(moves), opening, "2001-02-03", "60+0", result, "completed"
    )
    return "\n\n".join([*parts, format_record(record)])


def position(state: State) -> str:
    """Return a description of all that the interface of a state shows."""
    return "\n".join(
        [
            state.to_ascii(mark_last=True),
            f"ply: {state.ply}",
            f"mover: {state.current_player()}",
            f"scores: {state.scores()}",
            f"returns: {state.returns()}",
            f"legal: {state.legal_actions()}",
            f"owners: {state.owners()}",
            f"winning: {state.winning_cells()}",
            *(f"{f.kind}: {f.label}, {f.cells}, {f.actions}" for f in state.features()),
            f"key: {state.key()}",
            f"text: {state.serialize()}",
        ]
    )


def main() -> None:
    """Write every playthrough."""
    for name in PLAYTHROUGHS:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
