"""Texts in other languages: forms for numbers, values, and the choice of a language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from string import Formatter

import pytest

from doublecross.analysis.sentences.templates import TEMPLATES, phrase
from doublecross.client.language import (
    LANGUAGES,
    best,
    current,
    day_text,
    longest_day,
    moment_text,
    number,
    plural,
    said,
    tr,
    use,
)
from doublecross.games.api.sentence import Sentence
from doublecross.server.core.terms import span


@pytest.fixture
def languages() -> Iterator[None]:
    """Let other tests see English."""
    yield
    use("en")


@pytest.mark.usefixtures("languages")
def test_english_is_the_language_of_the_code() -> None:
    use("en")
    assert tr("Quick match") == "Quick match"
    assert tr("playback|Play") == tr("Play") == "Play"
    assert tr("Challenge {name}", name="{Bob}") == "Challenge {Bob}"
    assert plural("1 box", "{n} boxes", 1) == "1 box"
    assert plural("1 box", "{n} boxes", 0) == "0 boxes"


@pytest.mark.usefixtures("languages")
def test_another_language_has_its_own_words_and_forms() -> None:
    use("de")
    assert current() == "de"
    assert tr("Cancel") == "Abbrechen"
    assert "|" not in tr("playback|Play") != tr("Play")
    assert plural("1 box", "{n} boxes", 1) != plural("1 box", "{n} boxes", 2)
    # In French there is one form for zero and one.
    use("fr")
    assert (
        plural("1 game", "{n} games", 0).split()[-1] == plural("1 game", "{n} games", 1).split()[-1]
    )
    assert tr("a text that is in no catalogue") == "a text that is in no catalogue"


@pytest.mark.usefixtures("languages")
def test_phrases_about_moves_are_said_in_the_language() -> None:
    taken = phrase("takes", move="c6", count=2)
    assert said(taken) == str(taken) == "c6 takes 2 boxes."
    use("de")
    assert said(taken) == "c6 nimmt 2 Kästchen."
    assert said(phrase("opens-loop", move="b3", boxes=4)).startswith("Keine Linie ist sicher.")
    for rule, texts in TEMPLATES.items():
        if isinstance(texts, str):
            assert tr(texts) != texts, rule
        else:
            values = {name: 2 for _, name, _, _ in Formatter().parse(texts[1]) if name}
            assert plural(*texts, 2, **values) != texts[1].format(**values), rule


@pytest.mark.parametrize(
    ("language", "day", "moment", "one", "many"),
    [
        ("en", "Nov 23, 2026", "Nov 23, 2026, 9:05 PM", "+2.5", "12,000"),
        ("de", "23.11.2026", "23.11.2026, 21:05", "+2,5", "12.000"),
        ("nl", "23 nov 2026", "23 nov 2026, 21:05", "+2,5", "12.000"),
        ("fr", "23 nov. 2026", "23 nov. 2026, 21:05", "+2,5", "12\u202f000"),
        ("es", "23 nov 2026", "23 nov 2026, 21:05", "+2,5", "12.000"),
    ],
)
@pytest.mark.usefixtures("languages")
def test_dates_and_numbers_have_the_form_of_the_language(
    language: str, day: str, moment: str, one: str, many: str
) -> None:
    use(language)
    when = datetime(2026, 11, 23, 21, 5, 59, tzinfo=UTC)
    assert (day_text(when), moment_text(when)) == (day, moment)
    assert len(longest_day()) >= len(day)
    assert (number(2.5, "+g"), number(12000, ",")) == (one, many)
    # The same holds for numbers in sentences; names with such characters stay as they are.
    assert tr("{a:,} {b} {c:.1f}", a=12000, b="x,y.z", c=0.25) == f"{many} x,y.z {number(0.2)}"
    assert plural("1 {a}", "{n:,} {a}", 12000, a="1.5") == f"{many} 1.5"


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


@pytest.mark.usefixtures("languages")
def test_sentences_are_said_by_their_templates_and_values() -> None:
    taken = Sentence("The name {name} is taken; choose another.", "Cancel")
    busy = Sentence("The room is {status}; this is not possible now.", Sentence("playing"))
    assert (said(taken), said("Cancel")) == (taken, "Cancel")
    use("de")
    # Names stay, even if they are texts themselves; words are translated.
    assert said(taken) == "Der Name Cancel ist vergeben; wähle einen anderen."
    assert said(Sentence.read("", taken.fields)) == said(taken)
    assert tr("playing") in said(busy) == said(Sentence.read(busy, busy.phrase))
    idle = Sentence("Nobody has moved for {time}.", span(7_200_000))
    assert said(Sentence.read(idle, idle.phrase)) == "2 Stunden lang hat niemand gezogen."
    assert said(Sentence("Cancel")) == "Abbrechen"
    assert said("A new sentence that no catalogue has.") == "A new sentence that no catalogue has."
    # Whatever a server sends, there is something to show.
    strange = {"one": "{a.b} {0} {c:9} {d} {", "values": {"d": 1, "e": 2}}
    assert said(Sentence.read("", strange)) == "{a.b} {0} {c:9} 1 {"
    assert "{name}" in said(Sentence.read("", {"one": taken.one, "values": {"other": 1}}))
