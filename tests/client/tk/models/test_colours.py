"""Check the window's colours: its palettes, and the players who swap seats."""

from __future__ import annotations

from doublecross.client.tk.models.colours import make_colours
from doublecross.games.colours import colours_of


def test_the_palettes_differ_and_an_unknown_one_is_the_first() -> None:
    assert make_colours("classic", dark=False) != make_colours("colour-blind", dark=False)
    assert make_colours("no such", dark=True) == make_colours("classic", dark=True)


def test_high_contrast_is_white_on_black_with_the_colours_of_the_page() -> None:
    colours = make_colours("contrast", dark=False)
    assert colours == make_colours("contrast", dark=True)
    assert (colours.ground, colours.text, colours.dark) == ("#000000", "#ffffff", True)
    assert colours.strokes == colours_of("safe", "contrast").strokes


def test_players_keep_their_colours_when_they_swap_seats() -> None:
    colours = make_colours("classic", dark=False)
    assert colours.for_match(1) is colours.for_match(3) is colours
    second = colours.for_match(2)
    assert (second.strokes, second.fills) == (colours.strokes[::-1], colours.fills[::-1])
    assert second.for_match(2) is second
    assert [colours.seat_style("Seat", seat) for seat in (0, 1)] == ["Seat0.TLabel", "Seat1.TLabel"]
    assert [second.seat_style("Score", s) for s in (0, 1)] == ["Score1.TLabel", "Score0.TLabel"]
