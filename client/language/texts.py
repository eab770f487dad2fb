"""Translate texts into the language of this process."""

from __future__ import annotations

import gettext
import re
import string
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
SOURCE: Final = "en"
"""The language in which the texts are written."""
LANGUAGES: Final = MappingProxyType(
    {"en": "English", "de": "Deutsch", "nl": "Nederlands", "fr": "Français", "es": "Español"}
)
"""The languages, each by its own name."""

_HINT: Final = re.compile(r"\A\w+\|")
"""What a text begins with if other texts have the same words."""

_current = SOURCE
_translations: gettext.NullTranslations = gettext.NullTranslations()


def tr(text: str, **values: object) -> str:
    """Return `text` in the language of this process, with `values` in its braces.

    Numbers with a form in their braces, such as ``{total:,}``, are written as in that language.

    A word before a bar tells translators what a text is about, and people do not see it: other
    languages have two words for ``Play`` and ``playback|Play``.
    """
    translated = _translations.gettext(text)
    return _filled(_HINT.sub("", text) if translated == text else translated, values)


def plural(one: str, many: str, n: int, **values: object) -> str:
    """Return the translation of `one` or `many` for the number `n`, which fills ``{n}``."""
    return _filled(_translations.ngettext(one, many, n), {"n": n, **values})


def use(language: str) -> None:
    """Let this process show texts in `language`, a key of `LANGUAGES`.

    Raises:
        KeyError: there is no such language.
    """
    global _current, _translations
    if language not in LANGUAGES:
        raise KeyError(language)
    translations = gettext.NullTranslations() if language == SOURCE else _read(language)
    _current, _translations = language, translations


def _read(language: str) -> gettext.GNUTranslations:
    # This import takes a while, and English needs none of it.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with (FOLDER / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    # The standard library reads only the compiled form.
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


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
