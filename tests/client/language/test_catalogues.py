"""The catalogues: complete, with the same values as the texts in the code."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Message

from doublecross.bots.registry import level_names
from doublecross.client.language import LANGUAGES, catalogues
from doublecross.client.language.catalogues import catalogue, faults, messages, texts, update
from doublecross.client.tk.models.lobby.levels import level_title

OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(scope="module")
def wanted() -> set[str | tuple[str, ...]]:
    return {_key(message) for message in messages(texts())}


def _key(message: Message) -> str | tuple[str, ...]:
    return message.id if isinstance(message.id, str) else tuple(message.id)


@pytest.mark.parametrize("language", OTHERS)
def test_no_catalogue_has_holes(language: str, wanted: set[str | tuple[str, ...]]) -> None:
    found = {_key(message): message for message in messages(catalogue(language))}
    missing, unused = wanted - found.keys(), found.keys() - wanted
    help_text = "Run `python -m doublecross.client.language`, and translate what it adds."
    assert not missing, f"{help_text} New texts: {sorted(map(str, missing))}"
    assert not unused, f"{help_text} Unused texts: {sorted(map(str, unused))}"
    wrong = [fault for message in found.values() for fault in faults(message)]
    assert not wrong, "\n".join(wrong)
    assert not any(message.fuzzy for message in found.values())


def test_most_texts_differ_from_the_english_ones() -> None:
    for language in OTHERS:
        found = list(messages(catalogue(language)))
        same = [message.id for message in found if message.id == message.string]
        assert len(same) < len(found) / 20, (language, same)


def test_the_levels_have_titles() -> None:
    names = level_names()
    assert [level_title(name) for name in names] == list(names)
    assert set(names) <= {_key(message) for message in messages(texts())}


@pytest.mark.parametrize(
    ("text", "translated", "fault"),
    [
        ("Challenge {name}", "", "has no translation"),
        ("Challenge {name}", "Fordere {who} heraus", "other values in braces"),
        ("Challenge {name}", "Fordere heraus", "other values in braces"),
        (("1 box", "{n} boxes"), ("ein Kästchen", "Kästchen"), "does not say how many"),
        (("1 box", "{n} boxes"), ("ein Kästchen", ""), "has no translation"),
        ("Cancel", " Abbrechen", "begins or ends"),
        ("Open [chain|chains].", "Öffne [Kette|Ketten].", "marks other terms"),
    ],
)
def test_faults_are_found(text: object, translated: object, fault: str) -> None:
    found = faults(Message(text, translated))  # type: ignore[arg-type]
    assert any(fault in each for each in found), found


def test_a_new_text_is_a_hole_and_a_known_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "client").mkdir()
    module = tmp_path / "client" / "module.py"
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    monkeypatch.setattr(catalogues, "SOURCES", ("client",))
    monkeypatch.setattr(catalogues, "_texts_elsewhere", lambda: iter(()))
    module.write_text('tr("Cancel")\nplural("1 box", "{n} boxes", 2)\n')
    assert set(update().values()) == {2}
    file = tmp_path / "de.po"
    file.write_text(
        file.read_text().replace('msgid "Cancel"\nmsgstr ""', 'msgid "Cancel"\nmsgstr "Abbrechen"')
    )
    module.write_text('tr("Cancel")\ntr("Stop")\n')
    assert update() == {"de": 1, "nl": 2, "fr": 2, "es": 2}
    assert "Abbrechen" in file.read_text()
    assert "boxes" not in file.read_text()
