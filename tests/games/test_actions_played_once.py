"""What Dots and Boxes and tic-tac-toe keep beyond the contract: each action is played once."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.games.api import BadOpening, BadParameter, BadRecord, Game, IllegalAction
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.tic_tac_toe.rules import TicTacToe
from tests.contract.test_games_contract import ALL, doubled_area

both_games = pytest.mark.parametrize(
    "game", [p for p in ALL if isinstance(p.values[0], DotsAndBoxes | TicTacToe)]
)


@both_games
def test_an_action_that_was_played_is_refused(game: Game) -> None:
    everything = list(range(game.num_actions))
    for opening in ([0, 0], [*everything[:-1], 0], everything):
        with pytest.raises(BadOpening):
            game.initial_state(opening)
    for text in ("0,0/", "/0,0", "0/0"):
        with pytest.raises(BadRecord):
            game.deserialize(text)
    with pytest.raises(IllegalAction, match="ply 1:"):
        game.replay((), [0, 0])


@both_games
def test_cells_are_unit_squares(game: Game) -> None:
    geometry = game.geometry()
    assert (geometry.width, geometry.height) == (game.params["cols"], game.params["rows"])
    assert len(geometry.cells) == geometry.width * geometry.height
    for cell in geometry.cells:
        points = [geometry.points[corner] for corner in cell.corners]
        left, top = cell.index % geometry.width, cell.index // geometry.width
        assert points == [(left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1)]
        assert doubled_area(game, cell.corners) == 2


@both_games
def test_an_action_is_a_segment_or_a_cell(game: Game) -> None:
    geometry = game.geometry()
    if geometry.segments:
        assert [segment.action for segment in geometry.segments] == list(range(game.num_actions))
        assert all(len(cell.segments) == 4 for cell in geometry.cells)
        assert geometry.regions == ()
    else:
        cells = [(cell.index, cell.corners) for cell in geometry.cells]
        assert [(region.action, region.corners) for region in geometry.regions] == cells
        assert len(cells) == game.num_actions
        assert all(cell.segments == () for cell in geometry.cells)


@both_games
def test_features_do_not_depend_on_the_way_to_a_position(game: Game) -> None:
    rng = Random(game.size + "features")
    state = game.initial_state()
    while not state.is_terminal():
        played = list(state.history())
        rng.shuffle(played)
        try:
            other = game.initial_state(played)
        except BadOpening:  # In another order the marks complete a line too early.
            assert isinstance(game, TicTacToe)
        else:
            assert other.features() == state.features()
        state.apply(rng.choice(state.legal_actions()))


@both_games
def test_names_have_a_letter_and_a_number(game: Game) -> None:
    for text in ("a", "1a", "A", "b"):
        with pytest.raises(IllegalAction):
            game.parse_action(text)


@both_games
def test_a_size_has_as_many_numbers_as_parameters(game: Game) -> None:
    assert game.parse_size(game.size.upper()) == dict(game.params)
    for text in (f"{game.size}x3", f"{game.size}x", "3x3x3x3"):
        with pytest.raises(BadParameter):
            game.parse_size(text)
