"""Find the texts of the program, and compare them with the catalogues of all languages.

A catalogue is a JSON file with a line for each text, in i18next's format: the English text, and its
translation. A text that depends on a number has a line for each category of numbers which the
language has in CLDR; the key is the English text for many things, with the category behind it.
"""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Iterator
from typing import Final

from babel import Locale

from doublecross.analysis.course.moves import reasons
from doublecross.analysis.course.terms import parts
from doublecross.analysis.course.texts import texts_of
from doublecross.analysis.puzzles.kinds import KINDS
from doublecross.analysis.sentences.templates import TEMPLATES
from doublecross.analysis.shipped.course import lessons, terms
from doublecross.client.language.sentences import sentences_in
from doublecross.client.language.texts import FOLDER, LANGUAGES, PLURAL, SOURCE, catalogue
from doublecross.games.registry import GAMES

ROOT: Final = FOLDER.parents[2]
WINDOW: Final = ("client/tk", "bots/helping")
"""The folders whose texts people see in the window."""
PAGE: Final = "client/web"
"""The folder whose texts people see on the page."""
_STRING: Final = r'"(?:[^"\\\n]|\\.)*"'
_CALL: Final = re.compile(rf"(?<![\w$.])(tr|parts|plural)\(\s*({_STRING})(?:,\s*({_STRING}))?")
"""A call in JavaScript, whose texts are literals in double quotes."""

Text = str | tuple[str, str]
"""An English text, or its forms for one thing and for many."""


def texts() -> set[Text]:
    """Return all texts of the window, the page, and of what both show."""
    found = {*_texts_elsewhere()}
    for folder in WINDOW:
        for file in (ROOT / folder).rglob("*.py"):
            found.update(from_python(file.read_text("utf-8")))
    for file in (ROOT / PAGE).rglob("*.js"):
        found.update(from_javascript(file.read_text("utf-8")))
    return found


def from_python(source: str) -> Iterator[Text]:
    """Yield the texts of a module of the window."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            match (
                node.func.id,
                [each.value for each in node.args if isinstance(each, ast.Constant)],
            ):
                case "tr", [str(text)]:
                    yield text
                case "plural", [str(one), str(many), *_]:
                    yield one, many


def from_javascript(source: str) -> Iterator[Text]:
    """Yield the texts of a module of the page."""
    for name, *literals in _CALL.findall(source):
        one, many = (json.loads(each or '""') for each in literals)
        yield (one, many) if name == "plural" else one


def keys(found: set[Text], language: str) -> set[str]:
    """Return the keys of texts in the catalogue of a language."""
    categories = Locale(language).plural_form.tags | {"other"}
    single = {text for text in found if isinstance(text, str)}
    several = {text[1] for text in found if not isinstance(text, str)}
    return single | {f"{text}_{category}" for text in several for category in categories}


def update() -> dict[str, int]:
    """Write all texts into the catalogues; return how many have no translation, by language.

    What is no longer used is removed. A new text has an empty translation.
    """
    missing = {}
    found = texts()
    for language in LANGUAGES:
        if language == SOURCE:
            continue
        file = FOLDER / f"{language}.json"
        known = catalogue(language) if file.exists() else {}
        new = {key: known.get(key, "") for key in sorted(keys(found, language))}
        file.write_text(json.dumps(new, ensure_ascii=False, indent=2) + "\n", "utf-8")
        missing[language] = list(new.values()).count("")
    return missing


def faults(key: str, translated: str) -> list[str]:
    """Return what is wrong with the translation of a text, in sentences."""
    if not translated:
        return [f"{key!r} has no translation."]
    english = PLURAL.sub("", key)
    wanted, values = _values(english), _values(translated)
    # The form for one thing may say "one" instead of its number.
    spare = {"n", "count"} if key.endswith("_one") else set()
    found = []
    if not wanted - spare <= values <= wanted:
        found.append(f"{translated!r} has other values in braces than {english!r}.")
    if _terms(translated) != _terms(english):
        found.append(f"{translated!r} marks other terms than {english!r}.")
    if translated != translated.strip():
        found.append(f"{translated!r} begins or ends with a space.")
    return found


def _values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _terms(text: str) -> list[str]:
    return sorted(part.term for part in parts(text) if part.term)


def _texts_elsewhere() -> Iterator[Text]:
    """Yield the texts of other packages, which both clients translate."""
    for game in GAMES.values():
        yield game.title
        if game.unit:
            yield game.unit
        for parameter in game.parameters:
            yield parameter.label
    for kind in KINDS.values():
        yield kind.title
        yield kind.question
    yield from TEMPLATES.values()
    yield from reasons()
    for lesson in lessons():
        yield from texts_of(lesson)
    for term, about in terms().items():
        yield term
        yield about
    yield from sentences_in(ROOT)
