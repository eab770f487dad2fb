"""Texts in other languages: forms for numbers, values, and the choice of a language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client.language import LANGUAGES, best, current, plural, tr, use


@pytest.fixture
def languages() -> Iterator[None]:
    """Let other tests see English."""
    yield
    use("en")


@pytest.mark.usefixtures("languages")
def test_english_is_the_language_of_the_code() -> None:
    use("en")
    assert tr("Quick match") == "Quick match"
    assert tr("Challenge {name}", name="{Bob}") == "Challenge {Bob}"
    assert plural("1 box", "{n} boxes", 1) == "1 box"
    assert plural("1 box", "{n} boxes", 0) == "0 boxes"


@pytest.mark.usefixtures("languages")
def test_another_language_has_its_own_words_and_forms() -> None:
    use("de")
    assert current() == "de"
    assert tr("Cancel") == "Abbrechen"
    assert plural("1 box", "{n} boxes", 1) != plural("1 box", "{n} boxes", 2)
    # In French there is one form for zero and one.
    use("fr")
    assert (
        plural("1 game", "{n} games", 0).split()[-1] == plural("1 game", "{n} games", 1).split()[-1]
    )
    assert tr("a text that is in no catalogue") == "a text that is in no catalogue"


@pytest.mark.usefixtures("languages")
def test_an_unknown_language_changes_nothing() -> None:
    use("nl")
    with pytest.raises(KeyError):
        use("xx")
    assert current() == "nl"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (["de_AT.UTF-8"], "de"),
        (["xx", "fr-CA", "de"], "fr"),
        (["C.UTF-8"], "en"),
        ([], "en"),
        (["ES"], "es"),
    ],
)
def test_the_language_of_the_desktop(wanted: list[str], found: str) -> None:
    assert best(wanted) == found
    assert found in LANGUAGES
