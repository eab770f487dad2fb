"""Check the form of the start screen: wrong fields and where their messages appear."""

from __future__ import annotations

import pytest

from doublecross.client.tk.models.start import StartForm, name_problem


@pytest.mark.parametrize(
    "name", ["A", "Ann", "O'Neill", "Jean-Luc 2", "名前", "Łódź", "x_1", "C++", "a" * 32]
)
def test_valid_names(name: str) -> None:
    assert name_problem(name) == ""


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "Write the name"),
        ("a" * 33, "32 characters at most; this one has 33"),
        (" Ann", "letters and digits"),
        ("Ann!", "letters and digits"),
        ("A  B", "single spaces"),
        ("-Ann", "letters and digits"),
        ("Ａｎｎ", "only look like others"),
        ("Ann\n", "letters and digits"),
        ("\ud800", "letters and digits"),
    ],
)
def test_invalid_names(name: str, says: str) -> None:
    problem = name_problem(name)
    assert says in problem
    assert problem.endswith(".")


def begin(form: StartForm, way: str, name: str = "Ann", problem: str = "") -> bool:
    return form.begin(way, name=name, address="host", address_problem=problem)  # type: ignore[arg-type]


def test_every_wrong_field_has_its_message() -> None:
    form = StartForm()
    assert not begin(form, "join", "", "That is no address.")
    assert set(form.problems) == {"name", "server"}
    assert not form.busy
    form.edited("name")
    assert set(form.problems) == {"server"}


def test_a_local_game_needs_no_address() -> None:
    form = StartForm()
    assert begin(form, "here", "Ann", "That is no address.")
    assert form.problems == {}
    assert "this computer" in form.busy
    assert not begin(form, "join")  # Only one problem is shown at a time.


@pytest.mark.parametrize(
    ("way", "code", "place"),
    [
        ("join", "name_in_use", "name"),
        ("here", "bad_name", "name"),
        ("join", "wrong_kind", "name"),
        ("join", "bad_login", "password"),
        ("here", "bad_login", "password"),
        ("join", "rate_limited", "password"),
        ("join", "token_expired", "password"),
        ("join", "banned", "server"),
        ("join", "", "server"),
        ("join", "bad_address", "server"),
        ("join", "unsupported_version", "server"),
        ("here", "", "here"),
        ("here", "no_help", "here"),
    ],
)
def test_a_refusal_appears_beside_the_field_that_caused_it(way: str, code: str, place: str) -> None:
    form = StartForm()
    begin(form, way)
    assert form.refused(form.attempt, "No.", code) == place
    assert form.problems == {place: "No."}
    assert not form.busy
    assert begin(form, way)
    assert form.problems == {}


def test_a_name_that_is_taken_may_be_the_own_one() -> None:
    form = StartForm()
    begin(form, "join")
    assert form.refused(form.attempt, "Choose another.", "name_taken") == "name"
    assert form.problems == {
        "name": "The name Ann is taken; choose another, or log in if it is yours."
    }
    assert form.asks_password
    assert begin(form, "join", "Anne")  # another name needs no password


def test_whoever_says_that_there_is_an_account_needs_a_password() -> None:
    form = StartForm()
    form.switch_password()
    assert form.asks_password
    assert not begin(form, "join")
    assert form.problems == {"password": "Write the password of your account."}
    assert form.begin("join", name="Ann", address="host", address_problem="", password="secret")
    assert form.refused(form.attempt, "No.", "bad_login") == "password"
    form.switch_password()
    assert not form.asks_password
    assert form.problems == {}
    assert begin(form, "join")


def test_a_token_that_has_ended_asks_for_the_password() -> None:
    form = StartForm()
    begin(form, "here")
    form.refused(form.attempt, "It has ended.", "token_expired")
    assert form.asks_password
    assert form.problems == {"password": "It has ended."}


def test_a_cancelled_attempt_shows_no_result() -> None:
    form = StartForm()
    assert not form.cancel()
    begin(form, "join")
    first = form.attempt
    assert form.cancel()
    assert not form.joined(first)
    assert form.refused(first, "No.", "") is None
    begin(form, "join")
    assert form.refused(first, "No.", "") is None
    assert form.busy
    assert form.joined(form.attempt)
    assert not form.busy
