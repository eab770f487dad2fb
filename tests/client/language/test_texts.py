"""Texts in other languages: forms for numbers, values, and the choice of a language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from string import Formatter
from textwrap import dedent

import pytest

from doublecross.analysis.sentences.templates import TEMPLATES, phrase
from doublecross.client.language import (
    LANGUAGES,
    best,
    current,
    day_text,
    known,
    longest_day,
    moment_text,
    number,
    plural,
    tr,
    use,
)
from doublecross.client.language.catalogues import ROOT
from doublecross.client.language.sentences import sentences, sentences_in
from doublecross.client.tk.models.words import said


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
def test_every_sentence_of_the_server_is_recognised_with_its_values() -> None:
    use("de")
    found = set(sentences_in(ROOT))
    assert len(found) > 150
    for text in found:
        names = dict.fromkeys(name for _, name, _, _ in Formatter().parse(text) if name)
        values = {name: f"Zyx{number}" for number, name in enumerate(names)}
        filled = text.format(**values)
        translated = known(filled)
        assert translated != filled, text
        assert all(value in translated for value in values.values()), text


@pytest.mark.usefixtures("languages")
def test_values_are_translated_and_unknown_sentences_stay() -> None:
    use("de")
    assert known("'a?b' is not a server address. Write http://host:port, host:port or host.") == (
        "'a?b' ist keine Serveradresse. Schreibe http://host:port, host:port oder host."
    )
    assert known("The name easy is taken; choose another.").startswith("Der Name easy ist")
    for other in ("", "A new sentence that no catalogue has.", "There is no room ."):
        assert known(other) == other
    use("en")
    assert known("There is no room abc.") == "There is no room abc."


def test_sentences_are_found_in_the_code() -> None:
    code = '''
        """A docstring is no sentence for people."""
        log.warning("Neither is a line of the log.")
        def check(room: str, name: str) -> None:
            """Nor is this one."""
            if room:
                raise Refused(CODE, f"There is no room {room}, {terms.name}; " f"{name} asked {1}.")
            raise Refused(CODE, "Give a name." if name else "give_a_code")
    '''
    assert list(sentences(ast.parse(dedent(code)))) == [
        "There is no room {room}, {name}; {name_} asked {value}.",
        "Give a name.",
    ]
