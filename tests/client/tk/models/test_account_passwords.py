"""Check the fields of a new password before they are sent."""

from __future__ import annotations

import pytest

from doublecross.client.tk.models.account_passwords import password_problems, refused_field


@pytest.mark.parametrize(
    ("password", "again", "current", "wrong"),
    [
        ("blue lamp", "blue lamp", None, set()),
        ("blue lamp", "blue lamp", "old", set()),
        (" ", " ", None, set()),
        ("", "", None, {"password"}),
        ("", "blue lamp", None, {"password"}),
        ("blue lamp", "", None, {"again"}),
        ("blue lamp", "Blue lamp", None, {"again"}),
        ("blue lamp", "blue lamp", "", {"current"}),
        ("", "", "", {"current", "password"}),
    ],
)
def test_the_fields_that_are_wrong(
    password: str, again: str, current: str | None, wrong: set[str]
) -> None:
    problems = password_problems(password, again, current)
    assert set(problems) == wrong
    assert all(sentence.endswith(".") for sentence in problems.values())


def test_refusals_belong_to_fields() -> None:
    assert refused_field("bad_login") == "current"
    assert refused_field("weak_password") == "password"
    assert refused_field("rate_limited") is None
    assert refused_field("") is None
