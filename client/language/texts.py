"""Translate texts into the language of this process."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

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

_BRACES: Final = re.compile(r"\{(\w+)\}")
_WORDY: Final = frozenset({"value", "value_", "what", "status", "hint", "reason"})
"""The names in braces that stand for words and sentences, not for names of players and things."""
_WORDS: Final = 8
"""How many letters a text must have beside its values, to be recognised with values filled in."""


class _WithValues:
    """A text of the catalogue with names in braces.

    `fixed` is the longest part between them, and `words` the length of all such parts.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        parts = _BRACES.split(text)
        self.fixed = max(parts[::2], key=len)
        self.words = sum(map(len, parts[::2]))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the pattern of the sentences made from the text."""
        parts = _BRACES.split(self.text)
        names = parts[1::2]
        parts[::2] = map(re.escape, parts[::2])
        parts[1::2] = (
            f"(?P={name})" if name in names[:at] else f"(?P<{name}>.+?)"
            for at, name in enumerate(names)
        )
        return re.compile("".join(parts))


_current = SOURCE
_texts: Mapping[str, str] = {}
"""The texts of the current language, by their keys in English."""
_with_values: tuple[_WithValues, ...] = ()


def tr(text: str, /, **values: object) -> str:
    """Return `text` in the language of this process, with `values` in its braces.

    Numbers with a form in their braces, such as ``{total:,}``, are written as in that language.

    A word before a bar tells translators what a text is about, and people do not see it: other
    languages have two words for ``Play`` and ``playback|Play``.
    """
    return _filled(_texts.get(text) or _HINT.sub("", text), values)


def plural(one: str, many: str, n: int, /, **values: object) -> str:
    """Return the translation of `one` or `many` for the number `n`, which fills ``{n}``."""
    text = one if n == 1 else many
    if _texts:
        text = _texts.get(f"{many}_{_rule(_current)(n)}") or text
    return _filled(text, {"n": n, **values})


def known(sentence: str) -> str:
    """Return a sentence of the server, or of other code without a language, in this language.

    It arrives with its values filled in, so this finds the text of the catalogue that has the same
    words around its braces. Values that are words are translated too, but no names: a player may
    be called `easy`. Without such a text the sentence stays.
    """
    translated = tr(sentence)
    if translated != sentence:
        return translated
    for text in _with_values:
        if text.fixed in sentence and (found := text.pattern.fullmatch(sentence)):
            values = found.groupdict()
            return tr(
                text.text,
                **{name: known(each) if name in _WORDY else each for name, each in values.items()},
            )
    return sentence


def use(language: str) -> None:
    """Let this process show texts in `language`, a key of `LANGUAGES`.

    Raises:
        KeyError: there is no such language.
    """
    global _current, _texts, _with_values
    if language not in LANGUAGES:
        raise KeyError(language)
    texts = {} if language == SOURCE else catalogue(language)
    found = [_WithValues(key) for key in texts if "{" in key and not PLURAL.search(key)]
    # The more words a text has of its own, the less another sentence looks like it.
    with_values = sorted(
        (each for each in found if each.words >= _WORDS), key=lambda each: -each.words
    )
    _current, _texts, _with_values = language, texts, tuple(with_values)


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
