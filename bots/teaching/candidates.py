"""Find puzzles in games of bots: play, solve each position, keep those with an idea."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from doublecross.analysis.puzzles.grading import difficulty, failing, has_reason, idea_of
from doublecross.analysis.puzzles.puzzle import Puzzle, make_puzzle
from doublecross.analysis.values import PositionValues
from doublecross.bots.api import Limit, NeverStop
from doublecross.bots.registry import make_bot, parse_spec
from doublecross.bots.teaching.exact_judge import ExactJudge, natural_moves
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

PLAYERS: Final = (
    *("greedy", "medium", "rules", "rules", "mcts:simulations=300", "champion:net=none"),
)
"""The bots that play. Their moves depend on the seed alone: limits are nodes and simulations."""
_LIMIT: Final = Limit(nodes=3_000, memory_mb=16)
MOST_MOVES: Final = 19
"""Positions in which the search has more moves to consider are left out: they take too long."""
MOST_TURNS: Final = 4
"""The most turns that a puzzle asks for."""


def candidates(game: DotsAndBoxes, judge: ExactJudge, rng: Random) -> Iterator[Puzzle]:
    """Play one game, and yield the puzzles in it; those of one game differ in kind."""
    state = _played(game, rng)
    found: set[str] = set()
    while state.history():
        state.undo()
        if len(state.legal_actions()) < 3 or judge.moves_left(state) > MOST_MOVES:
            continue
        puzzle = puzzle_at(state, judge)
        if puzzle is not None and puzzle.kind not in found:
            found.add(puzzle.kind)
            yield puzzle


def puzzle_at(state: DotsAndBoxesState, judge: ExactJudge) -> Puzzle | None:
    """Return the puzzle of a position; None if it makes no good one."""
    values = judge.values(state)
    idea = idea_of(state, values, natural_moves(state))
    if idea is None:
        return None
    if not any(has_reason(state, judge.judge(state, values, trap), trap) for trap in idea.traps):
        return None
    turns = _turns(state, values, judge)
    hard = difficulty(values, state.current_player(), idea.careful_fails, turns)
    return make_puzzle(state, values, idea.kind, hard, turns)


def _turns(state: DotsAndBoxesState, values: PositionValues, judge: ExactJudge) -> int:
    """Return after how many turns a careful player keeps the value to the end.

    Both players follow the line of best moves. The player of the puzzle must find each turn of it
    up to the last one in which some careful move fails, `MOST_TURNS` at most.
    """
    state, seat = state.clone(), state.current_player()
    turn, needed, mover = 0, 1, -1
    while not state.is_terminal():
        player = state.current_player()
        if player == seat:
            turn += mover != seat
            if turn > MOST_TURNS:
                break
            if set(natural_moves(state).careful) & failing(values, seat):
                needed = turn
        mover = player
        state.apply(values.actions[0].action)
        if not state.is_terminal():
            values = judge.values(state)
    return needed


def _played(game: DotsAndBoxes, rng: Random) -> DotsAndBoxesState:
    """Return a finished game of two bots after some random safe edges."""
    opening = game.openings(rng, 1).found[0]
    state = game.replay((), opening)
    assert isinstance(state, DotsAndBoxesState)
    bots = []
    for _ in range(2):
        spec = parse_spec(rng.choice(PLAYERS))
        bots.append(make_bot(spec.name, Random(rng.random()), spec.options))
    while not state.is_terminal():
        choice = bots[state.current_player()].choose(state, _LIMIT, NeverStop())
        state.apply(choice.action)
    for bot in bots:
        bot.close()
    return state
