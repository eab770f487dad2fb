"""Check how the form for a new tournament is read, and what the organiser of one can do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.lobby.contest_form import (
    FORMATS,
    ContestField,
    ContestFields,
    has_field,
    may_join_late,
)
from doublecross.client.tk.models.lobby.forms import CUSTOM, BadFields
from doublecross.client.tk.models.lobby.organiser import Organiser
from doublecross.client.tk.models.lobby.tournaments import TournamentsModel
from doublecross.protocol.common import FormatKey, TournamentTerms
from doublecross.protocol.server_messages import EntrantState
from tests.client.tk.models.contests import ORGANISER, entrant, terms, tournament_state

NO_LIMIT = "A whole number from {} to {}, or nothing."
WHOLE = "Write a whole number from {} to {}."


def fields(form: FormatKey = "round-robin", **texts: str) -> ContestFields:
    found = ContestFields(format=form)
    found.texts[ContestField.NAME] = "Spring"
    for name, text in texts.items():
        found.texts[ContestField(name)] = text
    return found


def problems(wrong: ContestFields) -> dict[str, str]:
    with pytest.raises(BadFields) as caught:
        wrong.terms()
    return caught.value.problems


def test_a_new_form_needs_only_a_name() -> None:
    assert problems(ContestFields()) == {"name": "Write a name of 1 to 64 characters."}
    made = fields(name="  Spring  ").terms()
    assert (made.name, made.format, made.pairs, made.rounds) == ("Spring", "round-robin", 1, None)
    assert (made.people, made.late, made.patience, made.settings.rated) == (True, False, 3, True)
    assert (made.invited, made.hero, made.seed, made.games_at_once) == (None, None, None, None)
    assert made.phrases
    quiet = fields(name="Spring")
    quiet.phrases = False
    assert not quiet.terms().phrases


def test_every_wrong_field_is_named_at_once() -> None:
    wrong = fields(
        "swiss", name="x" * 65, pairs="0", rounds="", patience="1001", at_once="x", seed="-1"
    )
    wrong.match.sizes = {"dots-and-boxes": {"rows": "11"}}
    wrong.match.time, wrong.match.minutes = CUSTOM, "soon"
    assert problems(wrong) == {
        "name": "Write a name of 1 to 64 characters.",
        "size_rows": "Rows of boxes: a whole number from 1 to 10.",
        "minutes": "Minutes on each clock: a number above 0, at most 14400.",
        "pairs": WHOLE.format(1, 10_000),
        "rounds": WHOLE.format(1, 1000),
        "patience": WHOLE.format(1, 1000),
        "at_once": NO_LIMIT.format(1, 10_000),
        "seed": NO_LIMIT.format(0, 2**53 - 1),
    }


def test_fields_of_other_formats_are_not_read() -> None:
    texts = {"pairs": "x", "rounds": "x", "hero": "?"}
    assert set(problems(fields("round-robin", **texts))) == {"pairs"}
    assert set(problems(fields("swiss", **texts))) == {"pairs", "rounds"}
    assert set(problems(fields("knockout", **texts))) == {"pairs"}
    assert set(problems(fields("gauntlet", **texts))) == {"pairs", "hero"}
    assert set(problems(fields("ladder", **texts))) == {"rounds"}


def test_only_a_ladder_has_no_end_and_always_lets_players_in() -> None:
    ladder = fields("ladder", rounds="")
    ladder.late = True
    assert (ladder.terms().rounds, ladder.terms().late) == (None, False)
    swiss = fields("swiss", rounds=" 7 ")
    swiss.late = True
    assert (swiss.terms().rounds, swiss.terms().late) == (7, True)


@pytest.mark.parametrize(
    ("invited", "hero", "sentence"),
    [
        ("Ann", "", "Invite at least two players, or leave the list empty."),
        ("Ann, Bob, ann", "", "A player is invited twice; list each name once."),
        ("Ann, Bob", "Zoe", "Zoe, who plays all others, is not invited."),
        (", ".join(f"p{n}" for n in range(1001)), "", "At most 1000 players can be invited."),
    ],
)
def test_the_invited_players(invited: str, hero: str, sentence: str) -> None:
    assert problems(fields("gauntlet", invited=invited, hero=hero)) == {"invited": sentence}
    assert problems(fields(invited="Ann, B?"))["invited"].startswith("B?: A name has letters")
    good = fields("gauntlet", invited=" Ann ,\nBob,, ", hero="bob").terms()
    assert (good.invited, good.hero) == (("Ann", "Bob"), "bob")


@given(st.sampled_from(sorted(FORMATS)), st.sampled_from(list(ContestField)), st.text(max_size=9))
def test_terms_are_what_the_protocol_accepts(
    form: FormatKey, name: ContestField, text: str
) -> None:
    form_fields = fields(form, **{name.value: text})
    found: set[str] = set()
    try:
        made = form_fields.terms()
        # The protocol accepts the terms.
        assert TournamentTerms.model_validate_json(made.model_dump_json()) == made
        assert may_join_late(form) or not made.late
    except BadFields as bad:
        found = set(bad.problems)
    assert found <= {name.value}
    assert not found or has_field(form, name)


def organiser(
    *entrants: EntrantState, me: str = ORGANISER, form: FormatKey = "round-robin", **given: str
) -> Organiser:
    model = TournamentsModel(me, "t1")
    model.take(tournament_state(*entrants, terms=terms(format=form), **given))
    return Organiser(model)


def test_the_organiser_starts_it_when_two_players_are_there() -> None:
    alone = organiser(entrant("Ann"), entrant("Bob", state="left"))
    assert (alone.organises, alone.starts_later, alone.may_start) == (True, True, False)
    assert alone.line.endswith("Start it when at least two players have joined.")
    ready = organiser(entrant("Ann"), entrant("Bob"))
    assert ready.may_start
    assert ready.line == "You organise it. 2 players can play."
    runs = organiser(entrant("Ann"), entrant("Bob"), status="running")
    assert (runs.organises, runs.starts_later, runs.may_start) == (True, False, False)
    assert runs.line == "You organise it. Games begin by themselves."


def test_others_and_ended_tournaments_have_no_organiser_here() -> None:
    two = entrant("Ann"), entrant("Bob")
    for found in (
        organiser(*two, me="Ann"),
        organiser(*two, status="finished"),
        organiser(*two, status="cancelled"),
        Organiser(TournamentsModel(ORGANISER, "t1")),
    ):
        assert not found.organises
        assert not found.may_start
        assert (found.line, found.warning()) == ("", "")
        assert not found.may_set_aside("Ann")


def test_who_can_be_set_aside_and_taken_back() -> None:
    players = entrant("Ann"), entrant("Bob", state="aside"), entrant("Cid", state="left")
    found = organiser(*players, status="running")
    assert [found.may_set_aside(name) for name in ("Ann", "Bob", "Cid", "Zoe")] == [1, 0, 0, 0]
    assert [found.may_take_back(name) for name in ("Ann", "Bob", "Cid", "Zoe")] == [0, 1, 0, 0]
    knockout = organiser(*players, status="running", form="knockout")
    assert not knockout.may_take_back("Bob")
    assert organiser(*players, form="knockout").may_take_back("Bob")


def test_ending_it_warns_once() -> None:
    found = organiser(entrant("Ann"))
    assert found.warning().endswith("Press Call off again.")
    assert found.warning() == ""
    found.calm()
    assert found.warning()
    assert organiser(status="running").warning().endswith("Press End it again.")
