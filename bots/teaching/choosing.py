"""Check puzzles, and choose some of many."""

from __future__ import annotations

from collections import defaultdict

from doublecross.analysis.puzzles.puzzle import Puzzle
from doublecross.bots.teaching.candidates import puzzle_at
from doublecross.bots.teaching.exact_judge import ExactJudge


def fault(puzzle: Puzzle, judge: ExactJudge) -> str | None:
    """Return what is wrong with a puzzle, by the solver; None if all is right."""
    true = puzzle_at(puzzle.state(), judge)
    if true is None:
        return f"Puzzle {puzzle.id} is not a good puzzle."
    if true != puzzle:
        return f"Puzzle {puzzle.id} should be {true}."
    return None


def spread(puzzles: list[Puzzle], count: int) -> list[Puzzle]:
    """Return at most `count` puzzles, spread over kinds, difficulties and sizes.

    Each kind and difficulty gives one puzzle in turn, from each of its sizes in turn.
    """
    cells: dict[tuple[str, int], dict[str, list[Puzzle]]] = defaultdict(lambda: defaultdict(list))
    for puzzle in puzzles:
        cells[puzzle.kind, puzzle.difficulty][puzzle.size].append(puzzle)
    queues = [_in_turn(list(cells[cell].values())) for cell in sorted(cells)]
    return _in_turn(queues)[:count]


def _in_turn(lists: list[list[Puzzle]]) -> list[Puzzle]:
    """Return the first of each list, then the second of each, and so on."""
    longest = max(map(len, lists), default=0)
    return [each[place] for place in range(longest) for each in lists if place < len(each)]
