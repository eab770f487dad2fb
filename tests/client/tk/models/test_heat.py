"""The model of a heat map: what is asked, kept and said."""

from __future__ import annotations

import pytest

from doublecross.analysis.advice import Policy
from doublecross.client.tk.models import heat
from doublecross.client.tk.models.heat import HeatModel, percent, warmth
from doublecross.games.registry import make_game

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
POLICY = Policy(((4, 0.5), (2, 0.312), (0, 0.1), (1, 0.004)))


def test_each_position_is_asked_once_and_one_at_a_time() -> None:
    model, state = HeatModel(), GAME.initial_state()
    first = model.show(state)
    assert first is not None
    assert model.line == "Asking the network ..."
    state.apply(3)
    assert model.show(state) is None  # the first request still waits
    model.take(first, POLICY)
    second = model.show(state)
    assert second is not None
    assert second.moves == (3,)
    model.take(second, "There is no network for this game.")
    assert model.line == "There is no network for this game."
    assert not model.shares
    state.undo()
    assert model.show(state) is None
    assert model.shares == dict(POLICY.shares)
    name = GAME.action_name
    assert (
        model.line
        == f"After all captures the network would play {name(4)} 50%, {name(2)} 31%, {name(0)} 10%"
    )


def test_nothing_is_asked_without_a_heat_map_or_after_the_game() -> None:
    model, state = HeatModel(), GAME.initial_state()
    assert model.show(None) is None
    assert model.line == ""
    while not state.is_terminal():
        state.apply(state.legal_actions()[0])
    assert model.show(state) is None
    assert not model.shares


def test_positions_without_a_choice_say_so_and_old_ones_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heat, "MOST_KEPT", 1)
    model, state = HeatModel(), GAME.initial_state()
    request = model.show(state)
    assert request is not None
    model.take(request, Policy(()))
    assert "The rest is counted" in model.line
    later = GAME.initial_state((0,))
    other = model.show(later)
    assert other is not None
    model.take(other, POLICY)
    assert model.show(state) == request


def test_shares_are_written_and_drawn_by_their_size() -> None:
    assert [percent(share) for share in (0.314, 0.01, 0.0004)] == ["31%", "1%", "<1%"]
    assert warmth(0.4, 0.4) == 1
    assert 0 < warmth(0.1, 0.4) < warmth(0.2, 0.4) < 1
