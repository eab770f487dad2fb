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
from doublecross.client.language.texts import FOLDER, LANGUAGES, PLURAL, SOURCE, catalogue
from doublecross.games.registry import GAMES

ROOT: Final = FOLDER.parents[2]
FOLDERS: Final = ("client", "bots", "server")
"""The folders whose modules in Python have texts and sentences."""
SENTENCES: Final = {
    "Sentence": 0,
    "AdviceError": 0,
    "AdviceFailedError": 0,
    "ConnectionEnded": 0,
    "ReviewFailedError": 0,
    "bad_parameter": 0,
    "too_many": 0,
    "wrong_state": 0,
    "Unreachable": 0,
    "Refused": 1,
    "RequestRefused": 1,
    "refuse": 2,
}
"""The calls that have a text, and its place among their arguments."""
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
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            found.update(from_python(file.read_text("utf-8")))
    for file in (ROOT / PAGE).rglob("*.js"):
        found.update(from_javascript(file.read_text("utf-8")))
    return found


def from_python(source: str) -> Iterator[Text]:
    """Yield the texts of a module: of the window, of sentences, and the summaries of bots.

    Raises:
        ValueError: a text is put together from parts, so that no catalogue can have it.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assign([ast.Name("summary")], ast.Constant(str(text))):
                yield text
            case ast.Call(ast.Name("tr"), [ast.Constant(str(text)), *_]):
                yield text
            case ast.Call(
                ast.Name("plural" | "counted"),
                [ast.Constant(str(one)), ast.Constant(str(many)), *_],
            ):
                yield one, many
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), arguments) if (
                name in SENTENCES and len(arguments) > SENTENCES[name]
            ):
                yield from _literals(arguments[SENTENCES[name]])


def _literals(argument: ast.expr) -> Iterator[str]:
    """Yield the texts that an argument can be."""
    match argument:
        case ast.Constant(str(text)) if text:
            yield text
        case ast.IfExp(_, one, other) | ast.BoolOp(values=[one, other]):
            yield from _literals(one)
            yield from _literals(other)
        case ast.JoinedStr() | ast.BinOp() | ast.Call(ast.Attribute(ast.Constant())):
            raise ValueError(f"Use a template with values for {ast.unparse(argument)}.")


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
