"""Read the texts of the program, and write them into the catalogues of all languages."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from doublecross.analysis.course.moves import reasons
from doublecross.analysis.course.terms import parts
from doublecross.analysis.course.texts import texts_of
from doublecross.analysis.puzzles.kinds import KINDS
from doublecross.analysis.sentences.templates import TEMPLATES
from doublecross.analysis.shipped.course import lessons, terms
from doublecross.client.language.sentences import sentences_in
from doublecross.client.language.texts import FOLDER, LANGUAGES, SOURCE
from doublecross.games.registry import GAMES

ROOT: Final = FOLDER.parent.parent
SOURCES: Final = ("client/tk", "bots/helping")
"""The folders whose texts people see in the window."""
PAGE: Final = "client/web"
"""The folder whose texts people see on the page."""
_KEYWORDS: Final = {"tr": None, "plural": (1, 2), "parts": None}
_WIDTH: Final = 100
_STRING: Final = r'"(?:[^"\\\n]|\\.)*"'
_CALL: Final = re.compile(rf"(?<![\w$.])(tr|parts|plural)\(\s*({_STRING})(?:,\s*({_STRING}))?")
"""A call in JavaScript, whose texts are literals in double quotes."""


def texts() -> Catalog:
    """Return all texts of the window and the page, without translations."""
    found = page_texts()
    for folder in SOURCES:
        for text, file in _texts_in(folder, "**.py", "python"):
            found.add(text, locations=[(file, 1)])
    return found


def page_texts() -> Catalog:
    """Return the texts of the page, and those that both clients show, without translations."""
    found = Catalog()
    for text, file in (*_texts_in(PAGE, "**.js", from_javascript), *_texts_elsewhere()):
        found.add(text, locations=[(file, 1)])
    return found


def _texts_in(folder: str, files: str, method: Any) -> Iterator[tuple[str | tuple[str, ...], str]]:
    place: Any
    for place in extract_from_dir(ROOT / folder, method_map=[(files, method)], keywords=_KEYWORDS):
        name, _, text, _, _ = place
        yield text, f"{folder}/{name}"


def from_javascript(
    file: IO[bytes], keywords: object, tags: object, options: object
) -> Iterator[tuple[int, str, tuple[str, ...], list[str]]]:
    """Yield the texts of a module of the page: line, function, arguments and comments.

    The extractor of babel does not find calls in templates inside of templates.
    """
    source = file.read().decode()
    for call in _CALL.finditer(source):
        found = tuple(json.loads(each) for each in call.groups()[1:] if each)
        yield source.count("\n", 0, call.start()) + 1, call[1], found, []


def page_script(language: str) -> str:
    """Return the script from which the page has the texts of a language."""
    wanted = page_texts()
    known = {
        message.id if isinstance(message.id, str) else message.id[0]: message.string
        for message in sorted(catalogue(language), key=lambda message: str(message.id))
        if message.id in wanted and whole(message)
    }
    lines = [
        f"  {json.dumps(text, ensure_ascii=False)}: {json.dumps(said, ensure_ascii=False)},\n"
        for text, said in known.items()
    ]
    about = "// The texts of the page; `python -m doublecross.client.language` writes this file."
    return (
        f"{about}\nglobalThis.doublecrossTexts = {{ language: {json.dumps(language)}, texts: {{\n"
        f"{''.join(lines)}}} }};\n"
    )


def page_file(language: str) -> Path:
    """Return the file of the page with the texts of a language."""
    return ROOT / PAGE / "language" / f"{language}.js"


def catalogue(language: str) -> Catalog:
    """Return the catalogue of a language."""
    with _file(language).open("rb") as file:
        return read_po(file, locale=language)


def update() -> dict[str, int]:
    """Write all texts into the catalogues; return how many have no translation, by language.

    What is no longer used is removed. Translations of texts that have changed are kept only if they
    are still the same texts.
    """
    missing = {}
    template = texts()
    for language in LANGUAGES:
        if language == SOURCE:
            continue
        known = catalogue(language) if _file(language).exists() else Catalog(locale=language)
        known.update(template, no_fuzzy_matching=True)
        known.obsolete.clear()
        with _file(language).open("wb") as file:
            write_po(
                file, known, width=_WIDTH, sort_output=True, omit_header=True, include_lineno=False
            )
        missing[language] = sum(not whole(message) for message in messages(known))
        page_file(language).parent.mkdir(parents=True, exist_ok=True)
        page_file(language).write_text(page_script(language), "utf-8")
    return missing


def messages(found: Catalog) -> Iterator[Message]:
    """Yield the texts of a catalogue, without its header."""
    return (message for message in found if message.id)


def whole(message: Message) -> bool:
    """Return whether a text has all its translations."""
    return all(_forms(message.string))


def faults(message: Message) -> list[str]:
    """Return what is wrong with the translation of a text, in sentences."""
    if not whole(message):
        return [f"{message.id!r} has no translation."]
    originals, translated = _forms(message.id), _forms(message.string)
    wanted = set().union(*map(_values, originals))
    found = []
    for text in translated:
        # The form for one thing may say "one" instead of its number.
        spare = {"n", "count"} if len(originals) > 1 else set()
        if not wanted - spare <= _values(text) <= wanted:
            found.append(f"{text!r} has other values in braces than {originals[-1]!r}.")
    if len(originals) > 1 and not wanted & {"n", "count"} <= _values(translated[-1]):
        found.append(f"{translated[-1]!r} does not say how many.")
    for text in translated:
        if _terms(text) != _terms(originals[-1]):
            found.append(f"{text!r} marks other terms than {originals[-1]!r}.")
        if text != text.strip():
            found.append(f"{text!r} begins or ends with a space.")
    return found


def _forms(text: str | Iterable[str | None] | None) -> list[str]:
    """Return the forms of a text: one, or one for each number."""
    forms = [text] if text is None or isinstance(text, str) else text
    return [each or "" for each in forms]


def _values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def _terms(text: str) -> list[str]:
    return sorted(part.term for part in parts(text) if part.term)


def _texts_elsewhere() -> Iterator[tuple[str | tuple[str, str], str]]:
    """Yield the texts of other packages that both clients translate, with their files."""
    for game in GAMES.values():
        file = f"{game.__module__.partition('.')[2].replace('.', '/')}.py"
        yield game.title, file
        if game.unit:
            yield game.unit, file
        for parameter in game.parameters:
            yield parameter.label, file
    for kind in KINDS.values():
        yield kind.title, "analysis/puzzles/kinds.py"
        yield kind.question, "analysis/puzzles/kinds.py"
    for template in TEMPLATES.values():
        yield template, "analysis/sentences/templates.py"
    for why in reasons():
        yield why, "analysis/course/moves.py"
    for lesson in lessons():
        for text in texts_of(lesson):
            yield text, f"analysis/course/lessons ({lesson.name})"
    for term, about in terms().items():
        yield term, "analysis/course/terms.json"
        yield about, "analysis/course/terms.json"
    yield from sentences_in(ROOT)


def _file(language: str) -> Path:
    return FOLDER / f"{language}.po"
