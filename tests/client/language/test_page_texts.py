"""The texts in the code: found in all modules of the page and the window, and in its scripts."""

from __future__ import annotations

import json
import re

import pytest

from doublecross.client.language import LANGUAGES
from doublecross.client.language.catalogues import (
    PAGE,
    ROOT,
    Text,
    from_javascript,
    from_python,
    texts,
)
from doublecross.client.language.texts import catalogue
from doublecross.server.shell.page.files import BrowserPage

IN = "/language/"
CALL = re.compile(r"(?<![\w$.])(?:tr|parts|plural)\(\s*([\"'`]?)")


def test_the_scripts_of_the_page_have_all_texts() -> None:
    page = BrowserPage.read(ROOT / PAGE)
    scripts = {path.rpartition("/")[2]: file for path, file in page.files.items() if IN in path}
    assert scripts.keys() == {f"{language}.js" for language in LANGUAGES if language != "en"}
    for name, file in scripts.items():
        language = name.removesuffix(".js")
        _, _, found = file.plain.body.decode().partition("globalThis.doublecrossTexts")
        assert json.loads(found.strip().strip("=;")) == {
            "language": language,
            "texts": catalogue(language),
        }


def test_texts_in_modules_of_the_page_are_found() -> None:
    source = """
      const title = tr("As the \\"system\\"");
      html`<p title=${tr("Inner", { a })}>${many && html`${plural("1 box", "{n} boxes", n)}`}</p>
        ${parts(
          "You are {name}.",
          { name },
        )}`;
      tr(game.title); entr("no"); app.tr("no"); tr('no');
    """
    assert list(from_javascript(source)) == [
        'As the "system"',
        "Inner",
        ("1 box", "{n} boxes"),
        "You are {name}.",
    ]


def test_texts_in_modules_of_the_window_are_found() -> None:
    source = """
title = tr("As the \\"system\\"", name=tr("Inner"))
plural(
    "1 box",
    "{n} "
    "boxes",
    many,
    name="no",
)
tr(game.title), app.tr("no"), plural(one, many, 2), print("no")
    """
    expected: set[Text] = {'As the "system"', "Inner", ("1 box", "{n} boxes")}
    assert {*from_python(source)} == expected


def test_sentences_are_found() -> None:
    source = """
raise Refused(CODE, "There is no room {room}.", room_id)
peer.refuse(number, CODE, "Give a name." if name else GONE)
GONE = Sentence("It is gone; {name} took it.", name)
raise Unreachable(why or "Nobody is there.", lasting=True)
log.warning("No text."); summary = "Plays at random."
    """
    assert {*from_python(source)} == {
        "There is no room {room}.",
        "Give a name.",
        "It is gone; {name} took it.",
        "Nobody is there.",
        "Plays at random.",
    }


@pytest.mark.parametrize("text", ['f"No {room}."', '"No " + room', '"No {}.".format(room)'])
def test_a_sentence_without_a_template_is_a_fault(text: str) -> None:
    with pytest.raises(ValueError, match="Use a template"):
        list(from_python(f"Refused(CODE, {text})"))


def test_texts_of_both_clients_are_found() -> None:
    found = texts()
    assert {"That of the desktop", "As the system"} <= found
    assert 'As the "system"' not in found


def test_no_module_has_a_text_that_cannot_be_found() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{source.count(chr(10), 0, call.start()) + 1}"
        for path in (ROOT / PAGE).rglob("*.js")
        if "vendor" not in path.parts
        for source in [path.read_text("utf-8")]
        for call in CALL.finditer(source)
        if call[1] in ("'", "`")
    ]
    assert not wrong, f"Put these texts between double quotes: {wrong}"
