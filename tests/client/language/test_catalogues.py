"""The catalogues: complete, with the same values as the texts in the code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doublecross.bots.registry import level_names
from doublecross.client.language import LANGUAGES, catalogues
from doublecross.client.language import texts as texts_module
from doublecross.client.language.catalogues import Text, faults, keys, texts, update
from doublecross.client.language.texts import FOLDER, PLURAL, catalogue
from doublecross.client.tk.models.lobby.levels import level_title

OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(scope="module")
def wanted() -> set[Text]:
    return texts()


@pytest.mark.parametrize("language", OTHERS)
def test_no_catalogue_has_holes(language: str, wanted: set[Text]) -> None:
    found = catalogue(language)
    expected = keys(wanted, language)
    help_text = "Run `python -m doublecross.client.language`, and translate what it adds."
    assert not expected - found.keys(), f"{help_text} New: {sorted(expected - found.keys())}"
    assert not found.keys() - expected, f"{help_text} Unused: {sorted(found.keys() - expected)}"
    wrong = [fault for key, translated in found.items() for fault in faults(key, translated)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_has_one_line_for_each_text(language: str) -> None:
    written = (FOLDER / f"{language}.json").read_text("utf-8")
    found = json.loads(written, object_pairs_hook=list)
    assert [key for key, _ in found] == sorted(catalogue(language))
    assert len(written.splitlines()) == len(found) + 2


def test_no_text_ends_like_the_key_of_a_number(wanted: set[Text]) -> None:
    every = {text for each in wanted for text in ([each] if isinstance(each, str) else each)}
    assert not [text for text in every if PLURAL.search(text)]


def test_languages_have_their_own_categories_of_numbers() -> None:
    found: set[Text] = {"Cancel", ("1 box", "{n} boxes")}
    assert keys(found, "de") == {"Cancel", "{n} boxes_one", "{n} boxes_other"}
    assert keys(found, "fr") == keys(found, "de") | {"{n} boxes_many"}


def test_most_texts_differ_from_the_english_ones() -> None:
    for language in OTHERS:
        found = catalogue(language)
        same = [key for key, translated in found.items() if key == translated]
        assert len(same) < len(found) / 20, (language, same)


def test_the_levels_have_titles(wanted: set[Text]) -> None:
    names = level_names()
    assert [level_title(name) for name in names] == list(names)
    assert set(names) <= wanted


@pytest.mark.parametrize(
    ("key", "translated", "fault"),
    [
        ("Challenge {name}", "", "has no translation"),
        ("Challenge {name}", "Fordere {who} heraus", "other values in braces"),
        ("Challenge {name}", "Fordere heraus", "other values in braces"),
        ("{n} boxes_one", "", "has no translation"),
        ("{n} boxes_other", "Kästchen", "other values in braces"),
        ("Cancel", " Abbrechen", "begins or ends"),
        ("Open [chain|chains].", "Öffne [Kette|Ketten].", "marks other terms"),
    ],
)
def test_faults_are_found(key: str, translated: str, fault: str) -> None:
    found = faults(key, translated)
    assert any(fault in each for each in found), found


def test_the_form_for_one_thing_may_have_no_number() -> None:
    assert faults("{n} boxes_one", "ein Kästchen") == []


def test_a_new_text_is_a_hole_and_a_known_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "client").mkdir()
    module = tmp_path / "client" / "module.py"
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    monkeypatch.setattr(texts_module, "FOLDER", tmp_path)
    monkeypatch.setattr(catalogues, "FOLDERS", ("client",))
    monkeypatch.setattr(catalogues, "_texts_elsewhere", lambda: iter(()))
    module.write_text('tr("Cancel")\nplural("1 box", "{n} boxes", 2)\n')
    assert update() == {"de": 3, "nl": 3, "fr": 4, "es": 4}
    file = tmp_path / "de.json"
    file.write_text(file.read_text().replace('"Cancel": ""', '"Cancel": "Abbrechen"'))
    module.write_text('tr("Cancel")\ntr("Stop")\n')
    assert update() == {"de": 1, "nl": 2, "fr": 2, "es": 2}
    assert json.loads(file.read_text()) == {"Cancel": "Abbrechen", "Stop": ""}
