"""The texts of the page: found in its modules, and current in its scripts."""

from __future__ import annotations

import json
import re
from io import BytesIO

import pytest

from doublecross.client.language import LANGUAGES
from doublecross.client.language.catalogues import (
    PAGE,
    ROOT,
    from_javascript,
    messages,
    page_file,
    page_script,
    page_texts,
)

OTHERS = [language for language in LANGUAGES if language != "en"]
CALL = re.compile(r"(?<![\w$.])(?:tr|parts|plural)\(\s*([\"'`]?)")
TESTED = f"{PAGE}/frame/settings-dialog.js"


@pytest.mark.parametrize("language", OTHERS)
def test_the_scripts_of_the_page_are_current(language: str) -> None:
    script = page_file(language).read_text("utf-8")
    assert script == page_script(language), "run python -m doublecross.client.language"
    texts = re.sub(r",\n}", "\n}", script[script.index("texts: ") + len("texts: ") :])
    known = json.loads(texts[: texts.rindex("} };") + 1])
    assert len(known) == len(list(messages(page_texts())))


def test_texts_in_modules_are_found() -> None:
    source = """
      const title = tr("As the \\"system\\"");
      html`<p title=${tr("Inner", { a })}>${many && html`${plural("1 box", "{n} boxes", n)}`}</p>
        ${parts(
          "You are {name}.",
          { name },
        )}`;
      tr(game.title); entr("no"); app.tr("no"); tr('no');
    """
    found = [
        (function, texts)
        for _, function, texts, _ in from_javascript(BytesIO(source.encode()), (), (), {})
    ]
    assert found == [
        ("tr", ('As the "system"',)),
        ("tr", ("Inner",)),
        ("plural", ("1 box", "{n} boxes")),
        ("parts", ("You are {name}.",)),
    ]
    assert 'As the "system"' not in page_texts()
    assert any(message.locations[0][0] == TESTED for message in messages(page_texts()))


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
