"""Translate texts into the language of this process."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from doublecross.games.api.sentence import Sentence

FOLDER: Final = Path(__file__).parents[1] / "web" / "language"
"""The folder of the catalogues, which the page reads too."""
SOURCE: Final = "en"
"""The language in which the texts are written."""
LANGUAGES: Final = MappingProxyType(
    {"en": "English", "de": "Deutsch", "nl": "Nederlands", "fr": "Français", "es": "Español"}
)
"""The languages, each by its own name."""
PLURAL: Final = re.compile(r"_(?:zero|one|two|few|many|other)\Z")
"""The end of a key whose text depends on a number: the category of the number in CLDR."""

_HINT: Final = re.compile(r"\A\w+\|")
"""The prefix that tells a text from others with the same words."""

_current = SOURCE
_texts: Mapping[str, str] = {}
"""The texts of the current language, by their keys in English."""


def tr(text: str, /, **values: object) -> str:
    """Return `text` in the language of this process, with `values` in its braces.

    Numbers with a form in their braces, such as ``{total:,}``, are written as in that language.

    A word before a bar tells translators what a text is about, and people do not see it: other
    languages have two words for ``Play`` and ``playback|Play``.
    """
    return _filled(_texts.get(text) or _HINT.sub("", text), values)


def plural(one: str, many: str, n: int, /, **values: object) -> str:
    """Return the translation of `one` or `many` for the number `n`, which fills ``{n}``."""
    return _filled(_form(one, many, n), {"n": n, **values})


def said(sentence: str) -> str:
    """Return a sentence of the server, or of other code without a language, in this language."""
    sentence = Sentence(sentence)
    # A value may be a word or a sentence itself, such as the name of a level.
    values = {
        name: said(value) if isinstance(value, Sentence) else value
        for name, value in sentence.values.items()
    }
    one, many, count = sentence.one, sentence.many, sentence.values.get("count")
    # Without filling: a template that a server has sent may lack values, or have odd braces.
    text = _form(one, many, count) if many and isinstance(count, int) else tr(one)
    return str(Sentence.of(text, values))


def use(language: str) -> None:
    """Let this process show texts in `language`, a key of `LANGUAGES`.

    Raises:
        KeyError: there is no such language.
    """
    global _current, _texts
    if language not in LANGUAGES:
        raise KeyError(language)
    _current, _texts = language, {} if language == SOURCE else catalogue(language)


def catalogue(language: str) -> dict[str, str]:
    """Return the texts of another language than the source, by their keys in English."""
    texts: dict[str, str] = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return texts


@cache
def _rule(language: str) -> Callable[[int], str]:
    """Return what gives the category of a number in CLDR."""
    # This import takes a while, and English needs none of it.
    from babel import Locale

    return Locale(language).plural_form


def _form(one: str, many: str, n: int) -> str:
    """Return the translation of `one` or `many` for the number `n`, with its braces."""
    text = one if n == 1 else many
    return (_texts and _texts.get(f"{many}_{_rule(_current)(n)}")) or text


def number(value: float, form: str = "") -> str:
    """Return a number for people; `form` is as in `format`, such as ``,`` or ``.1f``."""
    text = format(value, form)
    language = current()
    return text if language == SOURCE else text.translate(_signs(language))


def current() -> str:
    """Return the language of this process."""
    return _current


def best(wanted: Iterable[str]) -> str:
    """Return the first language of `wanted` that exists, such as ``de`` for ``de_AT.UTF-8``."""
    for each in wanted:
        language = each.replace("-", "_").partition("_")[0].partition(".")[0].lower()
        if language in LANGUAGES:
            return language
    return SOURCE


class _Filler(string.Formatter):
    """Fills braces; numbers with a form, such as ``{total:,}``, are written as people do."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec and isinstance(value, int | float):
            return number(value, format_spec)
        return format(value, format_spec)


_FILLER: Final = _Filler()


def _filled(text: str, values: dict[str, Any]) -> str:
    return _FILLER.vformat(text, (), values) if values else text


@cache
def _signs(language: str) -> dict[int, str]:
    """Return what stands in numbers for the signs of the source language."""
    from babel.numbers import get_decimal_symbol, get_group_symbol

    return {ord(","): get_group_symbol(language), ord("."): get_decimal_symbol(language)}
