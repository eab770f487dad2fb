"""Other games than Dots and Boxes: their symmetries, samples, truth and settings."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from doublecross.bots.training.judging.grid_games import (
    GridNetPlayer,
    GridSearchPlayer,
    PerfectGridPlayer,
)
from doublecross.bots.training.judging.grid_truth import measure_grid
from doublecross.bots.training.judging.solved import SolvedGame, solved
from doublecross.bots.training.learning.batches import SampleWindow
from doublecross.bots.training.learning.grid_batches import GridImages
from doublecross.bots.training.learning.symmetries import grid_symmetries
from doublecross.bots.training.settings import TrainError, TrainSettings
from doublecross.bots.training.teachers.grid_samples import GridSamples
from doublecross.bots.training.teachers.grid_selfplay import GridSelfPlay
from doublecross.bots.zero import grids as g
from doublecross.bots.zero.net import Uniform
from doublecross.games.registry import make_game

TIC = make_game("tic-tac-toe")
FOUR = make_game("connect-four")
BLANK = Uniform(g.GENERIC_PLANES, g.GENERIC_SPAN, 1)


@pytest.fixture(scope="module")
def made() -> GridSamples:
    return GridSelfPlay(TIC, None, 64).make(60, 1)


@pytest.fixture(scope="module")
def truth() -> SolvedGame:
    found = solved(TIC)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("key", "params", "count"),
    [
        ("tic-tac-toe", None, 8),
        ("tic-tac-toe", {"rows": 3, "cols": 4}, 4),
        ("connect-four", None, 2),
        ("connect-four", {"rows": 5, "cols": 5}, 2),
        ("nim", None, 1),
    ],
)
def test_the_symmetries_are_those_that_the_rules_respect(
    key: str, params: dict[str, int] | None, count: int
) -> None:
    game = make_game(key, params)
    images = grid_symmetries(game)
    assert len(set(images)) == count
    assert images[0] == tuple(range(len(game.geometry().cells)))


def test_only_small_games_are_solved(truth: SolvedGame) -> None:
    start = TIC.initial_state()
    assert set(truth.values(start).values()) == {0}
    start.apply(0)
    # Only the centre holds the draw against a corner.
    assert truth.values(start) == {action: -(action != 4) for action in range(1, 9)}
    assert solved(FOUR) is None


def test_self_play_makes_samples_of_legal_moves(made: GridSamples) -> None:
    assert len(made) >= 60
    assert not (made.mine & made.theirs).any()
    assert (made.legal == ~(made.mine | made.theirs)).all()
    assert not made.policy[~made.legal].any()
    weight = made.policy.sum(1, dtype=int)
    # Half of the positions had a full search, and so a policy.
    assert ((weight == 0) | (abs(weight - 255) <= 5)).all()
    assert 0.2 < (weight > 0).mean() < 0.8
    assert (made.left == made.legal.sum(1)).all()
    again = GridSelfPlay(TIC, None, 64).make(60, 1)
    other = GridSelfPlay(TIC, None, 64).make(60, 2)
    assert (again.policy == made.policy).all()
    assert len(other) != len(made) or (other.policy != made.policy).any()


def test_proved_values_are_the_targets_of_late_positions(
    made: GridSamples, truth: SolvedGame
) -> None:
    late = 0
    for row in np.flatnonzero(made.left <= 5):
        mine, theirs = (list(np.flatnonzero(a[row])) for a in (made.mine, made.theirs))
        first, second = (theirs, mine) if made.second[row] else (mine, theirs)
        order = [first[i // 2] if i % 2 == 0 else second[i // 2] for i in range(9 - made.left[row])]
        values = truth.values(TIC.replay((), map(int, order)))
        assert made.score[row] == max(values.values())
        worse = [action for action, value in values.items() if value < made.score[row]]
        assert made.policy[row, worse].max(initial=0) < 128
        late += 1
    assert late > 10


def test_an_image_of_a_position_is_the_position_of_the_images(made: GridSamples) -> None:
    show = GridImages(TIC)
    known = (made.policy.sum(1) > 0) & (made.left == 6)
    sample = made.take(np.flatnonzero(known)[:1])
    seen = set()
    for seed in range(60):
        batch = show(sample, np.random.default_rng(seed))
        seen.add(batch.policy.tobytes() + batch.planes.tobytes())
        assert (
            batch.planes.sum((2, 3)).tolist()
            == show(sample, np.random.default_rng(0)).planes.sum((2, 3)).tolist()
        )
        # What is legal and what the network should play move with the pieces.
        assert (batch.planes[0, g.LEGAL].astype(bool) == batch.legal[0, 0]).all()
        assert not batch.policy[0, 0][~batch.legal[0, 0]].any()
    assert 1 < len(seen) <= 8


def test_a_batch_has_the_planes_of_the_bot() -> None:
    state = FOUR.initial_state((3, 3, 2, 4))
    me = state.current_player()
    owners = np.array([state.owners()])
    legal = np.zeros(owners.shape, bool)
    legal[0, [cells[0] for cells in g.targets(state).values()]] = True
    sample = GridSamples(
        owners == me, owners == 1 - me, legal, (legal * 36).astype(np.uint8),
        np.array([state.plies_left()], np.int16), np.array([me == 1]), np.array([1], np.int8),
    )  # fmt: skip
    show = GridImages(FOUR)
    batches = [show(sample, np.random.default_rng(seed)) for seed in range(8)]
    plain = g.encode_state(state)
    found = {
        "plain" if (batch.planes[0] == plain).all() else
        "mirrored" if (batch.planes[0] == plain[:, :, ::-1]).all() else "neither"
        for batch in batches
    }  # fmt: skip
    assert found == {"plain", "mirrored"}
    assert batches[0].score.tolist() == [2]
    assert batches[0].policy.sum() == pytest.approx(1)


def test_files_give_back_samples_and_refuse_other_boards(made: GridSamples, tmp_path: Path) -> None:
    path = tmp_path / "one.npz"
    made.save(path)
    found = GridSamples.load(path, 9)
    window = SampleWindow(1000, GridImages(TIC))
    window.add(found, "self-play")
    assert (found.policy == made.policy).all()
    assert (found.mine == made.mine).all()
    assert found.left.dtype == made.left.dtype
    assert window.draw(5, np.random.default_rng(1)).planes.shape == (5, g.GENERIC_PLANES, 3, 3)
    with pytest.raises(ValueError, match="not of this board size"):
        GridSamples.load(path, 12)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(ValueError, match=r"one\.npz are damaged"):
        GridSamples.load(path, 9)


def test_points_are_lost_by_those_who_know_nothing(truth: SolvedGame) -> None:
    perfect = measure_grid(
        truth, PerfectGridPlayer(truth, Random(1)), games=4, positions=30, seed="1"
    )
    assert (perfect.lost, perfect.best, perfect.loss) == (0, 1, 0)
    blank = measure_grid(truth, GridNetPlayer(BLANK), games=6, positions=60, seed="1")
    assert blank.lost > 0
    assert blank.best < 1
    searched = measure_grid(
        truth, GridSearchPlayer(TIC, BLANK, 300, Random(1)), games=6, positions=20, seed="1"
    )
    assert searched.lost < blank.lost
    assert searched.best > blank.best


def test_other_games_have_their_own_sizes_and_teacher() -> None:
    assert TrainSettings().sizes == ("3x3", "4x4", "5x5")
    assert TrainSettings().teacher == "labels"
    tic = TrainSettings(game="tic-tac-toe")
    assert (tic.sizes, tic.teacher) == (("3x3",), "self-play")
    assert TrainSettings(game="nim").sizes == ("1x3x5x7",)
    assert TrainSettings(game="connect-four", sizes=("5x6",)).sizes == ("5x6",)


def test_a_game_of_one_size_takes_no_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(TIC), "parameters", ())
    with pytest.raises(TrainError, match=r"Tic-tac-toe has only one size\. Leave it out\."):
        TrainSettings(game="tic-tac-toe", sizes=("3x3",))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": "tic-tac-toe", "sizes": ("3",)}, "too few numbers for Tic-tac-toe"),
        ({"game": "nim", "teacher": "both"}, "so nim needs the teacher self-play"),
    ],
)
def test_wrong_settings_get_one_sentence(settings: dict[str, str], sentence: str) -> None:
    with pytest.raises(TrainError, match=sentence):
        TrainSettings(**settings)  # type: ignore[arg-type]
