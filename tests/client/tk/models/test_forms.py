"""Check how the lobby's forms are read, and the messages for wrong fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.lobby.forms import (
    CUSTOM,
    TIMES,
    BadFields,
    MatchFields,
    casual,
    invitation_problems,
    split_invitation,
    time_titles,
)
from doublecross.games.registry import GAMES
from doublecross.protocol.client_messages import JoinRoom
from doublecross.protocol.common import HOUR_MS, MatchSettings, TimeControl

texts = st.text(max_size=8) | st.from_regex(r"[0-9]{0,6}([.,][0-9]{0,5})?", fullmatch=True)


def fields(game: str = "dots-and-boxes", **sizes: str) -> MatchFields:
    return MatchFields(game=game, sizes={game: sizes})


def custom(minutes: str = "", added: str = "", move: str = "") -> MatchFields:
    return MatchFields(time=CUSTOM, minutes=minutes, added=added, move=move)


def problems(wrong: MatchFields) -> dict[str, str]:
    with pytest.raises(BadFields) as caught:
        wrong.settings()
    assert str(caught.value)
    return caught.value.problems


def test_a_new_form_has_the_usual_board_with_a_clock() -> None:
    settings = MatchFields().settings()
    assert settings == MatchSettings(
        game="dots-and-boxes",
        params={"rows": 5, "cols": 5},
        time=TimeControl(base_ms=300_000, increment_ms=3000),
    )
    assert not settings.rated


@pytest.mark.parametrize("size", ["1", "10", " 7 "])
def test_a_size_within_its_range(size: str) -> None:
    assert fields(rows=size, cols="3").settings().params == {"rows": int(size), "cols": 3}


@pytest.mark.parametrize("size", ["0", "11", "-1", "x", "", " ", "5.0", "1e1", "٣", "99999999999"])
def test_a_size_out_of_range_is_refused(size: str) -> None:
    found = problems(fields(rows="5", cols=size))
    assert found == {"size_cols": "Columns of boxes: a whole number from 1 to 10."}


def test_every_wrong_field_is_named_at_once() -> None:
    wrong = fields(rows="0", cols="11")
    wrong.time, wrong.minutes = CUSTOM, "soon"
    assert set(problems(wrong)) == {"size_rows", "size_cols", "minutes"}


def test_fields_that_contradict_each_other_are_refused() -> None:
    found = problems(fields("tic-tac-toe", rows="3", cols="3", line="4"))
    assert found == {"size": "A line of 4 does not fit on 3 × 3 cells."}


@pytest.mark.parametrize(
    ("form", "time"),
    [
        (custom(minutes="2"), TimeControl(base_ms=120_000)),
        (custom(minutes="0.5", added="2,5"), TimeControl(base_ms=30_000, increment_ms=2500)),
        (custom(minutes="1", added="0"), TimeControl(base_ms=60_000)),
        (custom(move="15"), TimeControl(move_ms=15_000)),
        (
            custom(minutes=" 14400 ", added="3600", move="864000"),
            TimeControl(base_ms=240 * HOUR_MS, increment_ms=HOUR_MS, move_ms=240 * HOUR_MS),
        ),
    ],
)
def test_a_custom_time_control_is_read(form: MatchFields, time: TimeControl) -> None:
    assert form.time_control() == time


@pytest.mark.parametrize(
    ("form", "where"),
    [
        (custom(), "minutes"),
        (custom(minutes="0"), "minutes"),
        (custom(minutes="-1"), "minutes"),
        (custom(minutes="14401"), "minutes"),
        (custom(minutes="1:30"), "minutes"),
        (custom(minutes="nan"), "minutes"),
        (custom(minutes="5", added="3601"), "added"),
        (custom(minutes="5", added="?"), "added"),
        (custom(added="3"), "added"),
        (custom(added="3", move="5"), "added"),
        (custom(move="0"), "move"),
        (custom(move="0.01"), "move"),
        (custom(minutes="5", move="fast"), "move"),
    ],
)
def test_an_invalid_custom_time_is_refused(form: MatchFields, where: str) -> None:
    with pytest.raises(BadFields) as caught:
        form.time_control()
    assert set(caught.value.problems) == {where}


def test_an_invalid_custom_time_is_ignored_while_another_time_is_chosen() -> None:
    form = custom(minutes="soon")
    form.time = TIMES[0].text
    assert form.settings().time == TIMES[0]


@given(texts, texts, texts, texts, texts)
def test_any_text_gives_a_match_or_says_which_field_is_wrong(
    rows: str, cols: str, minutes: str, added: str, move: str
) -> None:
    form = custom(minutes, added, move)
    form.sizes = {"dots-and-boxes": {"rows": rows, "cols": cols}}
    found: dict[str, str] = {}
    try:
        settings = form.settings()
    except BadFields as bad:
        found, settings = bad.problems, None
    if settings is None:
        assert found
        assert set(found) <= {"size_rows", "size_cols", "minutes", "added", "move"}
        assert all(sentence.endswith(".") for sentence in found.values())
    else:
        assert all(1 <= value <= 10 for value in settings.params.values())
        # The protocol accepts the match.
        assert MatchSettings.model_validate_json(settings.model_dump_json()) == settings


@given(st.sampled_from(sorted(GAMES)), texts, st.sampled_from(["me", "other", "chance"]))
def test_a_form_is_restored_from_its_saved_values(game: str, text: str, start: str) -> None:
    form = MatchFields(
        game=game,
        sizes={"dots-and-boxes": {"rows": text}},
        time=CUSTOM,
        minutes=text,
        start=start,  # type: ignore[arg-type]
        private=True,
        rated=True,
    )
    assert MatchFields.from_saved(form.to_saved()) == form
    assert not MatchFields.from_saved(MatchFields().to_saved()).rated


def test_invalid_saved_values_are_ignored() -> None:
    kept = {"game": "chess", "time": "blitz", "start": "god", "private": "maybe", "x": "y"}
    assert MatchFields.from_saved(kept) == MatchFields()
    assert MatchFields.from_saved({}) == MatchFields()


@pytest.mark.parametrize("time", TIMES)
def test_a_match_like_another_one_under_a_usual_clock(time: TimeControl) -> None:
    settings = MatchSettings(
        game="tic-tac-toe", params={"rows": 4, "cols": 5, "line": 4}, time=time, rated=True
    )
    form = MatchFields()
    form.fill(settings)
    assert form.time == time.text
    assert form.settings() == settings
    form.fill(casual(settings))
    assert not form.settings().rated


@given(
    st.none() | st.integers(1, 144_000).map(lambda n: n * 6000),
    st.integers(0, 36_000).map(lambda n: n * 100),
    st.none() | st.integers(1, 8_640_000).map(lambda n: n * 100),
)
def test_a_match_like_another_one_under_any_clock(
    base: int | None, added: int, move: int | None
) -> None:
    time = TimeControl(base_ms=base, increment_ms=added if base else 0, move_ms=move)
    form = MatchFields()
    form.fill(MatchSettings(game="dots-and-boxes", time=time))
    assert form.time_control() == time


def test_a_match_of_a_game_that_is_not_known_leaves_the_form_as_it_is() -> None:
    form = fields(rows="2", cols="3")
    form.fill(MatchSettings(game="hex", params={"n": 9}, time=TimeControl()))
    assert form.settings().params == {"rows": 2, "cols": 3}
    assert form.time == "unlimited"


def test_who_starts_decides_the_seat() -> None:
    seats = {start: MatchFields(start=start).seat for start in ("me", "other", "chance")}
    assert seats == {"me": 0, "other": 1, "chance": None}


def test_the_titles_of_times_are_different_and_lead_to_them() -> None:
    titles = time_titles()
    assert list(titles.values()) == [*(time.text for time in TIMES), CUSTOM]
    assert "5 min + 3 s" in titles
    assert "No clock" in titles


# -- rooms -------------------------------------------------------------------------------------


def test_a_pasted_invitation_fills_address_and_room() -> None:
    assert split_invitation(" abc  xyz ", "") == ("abc", "xyz")
    assert split_invitation("abc", " xyz ") == ("abc", "xyz")
    assert split_invitation("a b", "c") == ("a b", "c")


@pytest.mark.parametrize(
    ("room", "code", "where"),
    [
        ("", "x", {"room"}),
        ("a b c", "", {"room"}),
        ("raum-ä", "", {"room"}),
        ("x" * 41, "", {"room"}),
        ("abc", "y" * 65, {"code"}),
        ("abc", "a\x07b", {"code"}),
        ("?", "y" * 65, {"room", "code"}),
        ("abc", "", set()),
        ("abc", "x y", set()),
    ],
)
def test_an_invalid_invitation_is_refused(room: str, code: str, where: set[str]) -> None:
    assert set(invitation_problems(room, code)) == where


@given(st.text(max_size=50), st.text(max_size=70))
def test_a_form_without_problems_makes_a_request(room: str, code: str) -> None:
    if not invitation_problems(room, code):
        assert JoinRoom(id=1, room=room, code=code or None).room == room
