"""Check the contract of every registered game, at several sizes, under random play."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doublecross.games.api import (
    SEATS,
    BadOpening,
    BadParameter,
    BadRecord,
    Game,
    IllegalAction,
    State,
    UnknownGame,
    why_illegal,
)
from doublecross.games.record import Record, RecordedMove, format_record, parse_record
from doublecross.games.registry import GAMES, game_class, make_game

SIZES = {
    "dots-and-boxes": ("1x1", "1x4", "2x2", "3x2", "3x3", "5x5", "10x10"),
    "tic-tac-toe": ("3x3x3", "1x3x3", "4x4x4", "5x6x4", "10x10x5"),
    "connect-four": ("6x7x4", "1x4x4", "5x3x3", "4x4x3", "10x10x5"),
    "nim": ("1x3x5x7x1", "1x3x5x7x0", "1x1x0x0x1", "3x4x5x0x0", "10x10x10x10x1"),
}
ALL = [
    pytest.param(kind(kind.parse_size(size)), id=f"{key}-{size}")
    for key, kind in GAMES.items()
    for size in SIZES[key]
]
every_game = pytest.mark.parametrize("game", ALL)


def random_opening(game: Game, rng: Random) -> tuple[int, ...]:
    """Return any opening that the game allows, fair or not."""
    for _ in range(20):
        if rng.random() < 0.5:
            opening = rng.sample(range(game.num_actions), rng.randrange(game.num_actions))
        else:
            state = game.initial_state()
            while not state.is_terminal():
                state.apply(rng.choice(state.legal_actions()))
            opening = list(state.history()[: rng.randrange(state.ply)])
        try:
            return game.initial_state(opening).opening
        except BadOpening:
            continue
    return ()


def view(state: State) -> tuple[object, ...]:
    """Return everything that the interface of a state shows."""
    return (
        state.key(),
        state.serialize(),
        state.scores(),
        state.returns(),
        state.legal_actions(),
        state.owners(),
        state.plies_left(),
        state.winning_cells(),
        state.features(),
        state.current_player(),
        state.is_terminal(),
        state.ply,
        state.history(),
        state.opening,
        state.to_ascii(),
        state.to_ascii(mark_last=True),
    )


@every_game
def test_random_games_keep_the_invariants(game: Game) -> None:
    rng = Random(game.size)
    for round_ in range(6):
        state = game.initial_state(random_opening(game, rng) if round_ % 2 else ())
        while True:
            legal = state.legal_actions()
            assert state.is_terminal() == (not legal)
            assert legal == sorted(set(legal))
            assert legal == [a for a in range(game.num_actions) if state.is_legal(a)]
            assert (state.current_player() in SEATS) == bool(legal)
            assert sum(state.returns()) == 0
            assert state.ply == len(state.history())
            assert len(state.opening) + state.ply <= game.max_game_length
            assert state.plies_left() >= bool(legal)
            if not legal:
                break
            assert state.returns() == (0, 0)
            before, left = state.scores(), state.plies_left()
            state.apply(rng.choice(legal))
            assert state.plies_left() < left
            # Either score may rise: taking the last object of Nim may lose.
            assert all(now >= then for now, then in zip(state.scores(), before, strict=True))
            if game.unit:
                assert state.scores() == tuple(state.owners().count(seat) for seat in SEATS)
            else:
                assert sum(state.scores()) == any(state.returns())
        assert state.current_player() < 0
        first, second = state.scores()
        assert state.returns()[0] == (first > second) - (first < second)


@every_game
def test_undo_restores_everything(game: Game) -> None:
    rng = Random(game.size + "undo")
    state = game.initial_state(random_opening(game, rng))
    views = [view(state)]
    while not state.is_terminal():
        state.apply(rng.choice(state.legal_actions()))
        views.append(view(state))
    played = list(state.history())
    for expected in views[-2::-1]:
        assert state.undo() == played.pop()
        assert view(state) == expected
    with pytest.raises(IllegalAction):
        state.undo()
    assert view(state) == views[0]


@every_game
def test_copies_are_independent_and_equal(game: Game) -> None:
    rng = Random(game.size + "copy")
    state = game.initial_state(random_opening(game, rng))
    while not state.is_terminal():
        copies = (state.clone(), game.deserialize(state.serialize()))
        copies += (pickle.loads(pickle.dumps(state)),)
        expected = view(state)
        action = rng.choice(state.legal_actions())
        state.apply(action)
        for copy in copies:
            assert view(copy) == expected
            assert copy.game == game
            copy.apply(action)
            assert view(copy) == view(state)
            if copy.ply:
                copy.undo()
        if game.num_actions > 100:
            for _ in range(rng.randrange(12)):
                if not state.is_terminal():
                    state.apply(rng.choice(state.legal_actions()))


@every_game
def test_key_does_not_depend_on_the_order_of_moves(game: Game) -> None:
    # Reach the same position in two orders: swap two moves of one seat where that is possible.
    rng = Random(game.size + "key")
    swapped = 0
    for _ in range(40):
        state = game.initial_state()
        while not state.is_terminal():
            state.apply(rng.choice(state.legal_actions()))
        moves = list(state.history())
        length = rng.randrange(len(moves) + 1)
        if length < 3:
            continue
        one = game.replay((), moves[:length])
        other_moves = moves[:length]
        other_moves[0], other_moves[2] = other_moves[2], other_moves[0]
        if other_moves == moves[:length]:
            continue
        try:
            two = game.replay((), other_moves)
        except IllegalAction:
            continue
        if (two.owners(), two.current_player()) == (one.owners(), one.current_player()):
            swapped += 1
            assert one.key() == two.key()
            assert one.serialize() != two.serialize()
    assert swapped or game.num_actions <= 4


@every_game
def test_illegal_actions_raise_and_change_nothing(game: Game) -> None:
    rng = Random(game.size + "illegal")
    state = game.initial_state()
    never = (-1, -game.num_actions, game.num_actions, 10**30, True, False, 1.0, "0", None)
    while True:
        before = view(state)
        taken = [action for action in range(game.num_actions) if not state.is_legal(action)]
        for action in (*never, *rng.sample(taken, min(4, len(taken)))):
            assert not state.is_legal(action)
            with pytest.raises(IllegalAction, match=r"^['A-Z0-9-].*\.$") as refused:
                state.apply(action)
            assert why_illegal(state, action) == str(refused.value)
        for action in state.legal_actions()[:4]:
            assert why_illegal(state, action) == ""
        assert view(state) == before
        if state.is_terminal():
            break
        state.apply(rng.choice(state.legal_actions()))
    for action in range(game.num_actions):
        with pytest.raises(IllegalAction):
            state.apply(action)
    assert view(state) == before


@every_game
def test_bad_openings_are_refused(game: Game) -> None:
    everything = list(range(game.num_actions))
    whole = game.initial_state()
    while not whole.is_terminal():
        whole.apply(whole.legal_actions()[0])
    beyond = [*everything * game.max_game_length]
    for opening in (whole.history(), beyond, [-1], [game.num_actions], [10**30], [True], [0.0]):
        with pytest.raises(BadOpening, match=r"^[A-Z].*\.$"):
            game.initial_state(opening)


@every_game
def test_geometry_is_consistent(game: Game) -> None:
    geometry = game.geometry()
    assert geometry is game.geometry()
    xs, ys = zip(*geometry.points, strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == (0, geometry.width, 0, geometry.height)
    assert len(set(geometry.points)) == len(geometry.points)
    assert [cell.index for cell in geometry.cells] == list(range(len(geometry.cells)))
    assert len(game.initial_state().owners()) == len(geometry.cells)
    actions = [segment.action for segment in geometry.segments]
    actions += {region.action for region in geometry.regions}
    assert sorted(actions) == list(range(game.num_actions))
    ends = {s.action: {s.start, s.end} for s in geometry.segments}
    assert len({tuple(sorted(pair)) for pair in ends.values()}) == len(ends)
    for segment in geometry.segments:
        (x0, y0), (x1, y1) = geometry.points[segment.start], geometry.points[segment.end]
        assert abs(x0 - x1) + abs(y0 - y1) == 1
    whole = 2 * geometry.width * geometry.height
    for areas in (geometry.cells, geometry.regions):
        sizes = [doubled_area(game, area.corners) for area in areas]
        assert all(size > 0 for size in sizes), "corners are clockwise on a screen"
        assert sum(sizes) <= whole, "areas do not overlap"
    for cell in geometry.cells:
        sides = [{a, b} for a, b in zip(cell.corners, cell.corners[1:] + cell.corners[:1])]  # noqa: B905
        assert len(cell.segments) == (len(sides) if geometry.segments else 0)
        assert all(ends[action] in sides for action in cell.segments)


def doubled_area(game: Game, corners: tuple[int, ...]) -> float:
    """Return twice the area of a polygon; positive if its corners are clockwise on a screen."""
    around = [game.geometry().points[corner] for corner in corners]
    return sum(
        x0 * y1 - x1 * y0
        for (x0, y0), (x1, y1) in zip(around, around[1:] + around[:1], strict=True)
    )


@every_game
def test_a_cell_gets_an_owner_by_a_move_and_keeps_it(game: Game) -> None:
    rng = Random(game.size + "cells")
    state = game.initial_state()
    assert set(state.owners()) == {-1}
    while not state.is_terminal():
        before, mover = state.owners(), state.current_player()
        action = rng.choice(state.legal_actions())
        state.apply(action)
        changed = [cell for cell, owner in enumerate(state.owners()) if owner != before[cell]]
        assert {before[cell] for cell in changed} <= {-1}
        assert {state.owners()[cell] for cell in changed} <= {mover}
        geometry = game.geometry()
        for cell in geometry.cells if geometry.segments else ():
            drawn = not any(map(state.is_legal, cell.segments))
            assert drawn == (state.owners()[cell.index] >= 0)
        if not geometry.segments:
            assert changed, "a move is seen somewhere"
        assert set(state.winning_cells()) <= {c.index for c in game.geometry().cells}


@every_game
def test_features_are_of_the_position(game: Game) -> None:
    rng = Random(game.size + "features")
    cells = {cell.index for cell in game.geometry().cells}
    for round_ in range(4):
        state = game.initial_state(random_opening(game, rng) if round_ % 2 else ())
        while not state.is_terminal():
            state.apply(rng.choice(state.legal_actions()))
            found = state.features()
            for feature in found:
                assert feature.kind
                assert feature.label
                assert feature.cells
                for members, known in (
                    (feature.cells, cells),
                    (feature.actions, set(state.legal_actions())),
                ):
                    assert type(members) is tuple
                    assert len(set(members)) == len(members)
                    assert known.issuperset(members)
                assert all(state.owners()[cell] < 0 for cell in feature.cells)
            assert state.features() == found
            # The features depend on the position alone, neither on its history nor on the mover.
            if found:
                played = sorted((*state.opening, *state.history()))
                rng.shuffle(played)
                try:
                    other = game.initial_state(played)
                except BadOpening:
                    continue
                assert other.features() == found
        assert state.features() == ()


@every_game
def test_action_names_are_read_back(game: Game) -> None:
    names = [game.action_name(action) for action in range(game.num_actions)]
    assert len(set(names)) == game.num_actions
    assert game.action_names == tuple(names)
    for action, name in enumerate(names):
        assert game.parse_action(name) == action
        assert game.parse_action(f" {name.upper()}\n") == action
        assert game.parse_action(str(action)) == action
    for bad in (-1, game.num_actions, True):
        with pytest.raises(IllegalAction):
            game.action_name(bad)
    for text in ("", "-1", str(game.num_actions), "z9", "a0", "a99", "a1a1", "٣", "1.0"):
        with pytest.raises(IllegalAction):
            game.parse_action(text)


@settings(max_examples=60, derandomize=True, database=None)
@given(st.sampled_from([p.values[0] for p in ALL]), st.text())
def test_no_text_breaks_a_parser(game: Game, text: str) -> None:
    for parse, error in (
        (game.parse_action, IllegalAction),
        (game.deserialize, BadRecord),
        (game.parse_size, BadParameter),
    ):
        try:
            parse(text)
        except error:
            continue


@settings(max_examples=60, derandomize=True, database=None)
@given(st.sampled_from([p.values[0] for p in ALL]), st.lists(st.integers(0, 999)), st.data())
def test_any_walk_of_moves_and_undos_ends_where_its_moves_lead(
    game: Game, choices: list[int], data: st.DataObject
) -> None:
    state, moves = game.initial_state(), list[int]()
    for choice in choices:
        if moves and (choice % 4 == 0 or state.is_terminal()):
            assert state.undo() == moves.pop()
        elif not state.is_terminal():
            moves.append(state.legal_actions()[choice % len(state.legal_actions())])
            state.apply(moves[-1])
    assert view(state) == view(game.replay((), moves))
    assert view(game.deserialize(state.serialize())) == view(state)


@every_game
def test_games_are_values(game: Game) -> None:
    again = make_game(game.key, game.params)
    assert again == game
    assert hash(again) == hash(game)
    assert pickle.loads(pickle.dumps(game)) == game
    assert game != make_game(game.key) or game.size == game.default_size()
    assert game.parse_size(game.size) == dict(game.params)
    with pytest.raises(TypeError):
        game.params[game.parameters[0].name] = 2


@pytest.mark.parametrize("kind", GAMES.values(), ids=GAMES)
def test_parameters_are_checked(kind: type[Game]) -> None:
    assert kind().size == kind.default_size()
    for p in kind.parameters:
        for value in (p.low - 1, p.high + 1, 10**30, True, 2.0, "3", None):
            with pytest.raises(BadParameter):
                kind({p.name: value})
    with pytest.raises(BadParameter):
        kind({"depth": 1})
    for text in ("", "x", "axb", "3x", "1e1x3", "-3x3", "٣x٣", "999999x1", "1x1x1x1x1x1"):
        with pytest.raises(BadParameter):
            kind.parse_size(text)


def test_registry() -> None:
    assert set(SIZES) == set(GAMES), "add the sizes of every registered game to SIZES"
    for key, kind in GAMES.items():
        assert kind.key == key
        assert game_class(key) is kind
        assert len(set(kind.seat_names)) == 2
    with pytest.raises(UnknownGame, match=", ".join(GAMES)):
        make_game("chess")


@every_game
@pytest.mark.parametrize("text", ["", "0", "//", "0,/", "/-1", "/٣", "/0 ", "/9999"])
def test_bad_serialized_states_are_refused(game: Game, text: str) -> None:
    with pytest.raises(BadRecord, match=r"^[A-Z].*\.$"):
        game.deserialize(text)


@every_game
def test_replay_names_the_ply(game: Game) -> None:
    first = game.initial_state().legal_actions()[0]
    with pytest.raises(IllegalAction, match="ply 1:"):
        game.replay((), [first, game.num_actions])


@every_game
def test_records_are_read_back(game: Game) -> None:
    rng = Random(game.size + "record")
    for length in (0, None):
        found = game.openings(rng, 1, length).found
        state = game.initial_state(found[0] if found else ())
        while not state.is_terminal():
            state.apply(rng.choice(state.legal_actions()))
        first, second = state.returns()
        record = Record(
            game,
            ("Ann", "Bob"),
            tuple(RecordedMove(action, 500) for action in state.history()),
            state.opening,
            result="1-0" if first > second else "0-1" if first < second else "1/2-1/2",
            termination="completed",
        )
        assert parse_record(format_record(record)) == record


@every_game
def test_symmetric_games_go_alike(game: Game) -> None:
    rng = Random(5)
    images = game.symmetries
    assert images[0] == tuple(range(game.num_actions))
    image = rng.choice(images)
    state, mirrored = game.initial_state(), game.initial_state()
    while not state.is_terminal():
        assert {image[action] for action in state.legal_actions()} == set(mirrored.legal_actions())
        action = rng.choice(state.legal_actions())
        state.apply(action)
        mirrored.apply(image[action])
        assert (state.scores(), state.is_terminal()) == (mirrored.scores(), mirrored.is_terminal())
    assert state.returns() == mirrored.returns()
