"""Refuse new names that look like other names, and reduce names to what they look like.

Theory of operation
-------------------
Unicode Technical Standard 39 calls characters *confusable* that look alike, such as a Latin and a
Cyrillic ``a``. `look_of` replaces each character by one representative of all characters that look
like it, the way of the standard's skeletons. Two names with equal looks can be confused. The
database stores the look of each name, so that one search finds a name that looks like a new one.

`problem_with` reports characters that nobody sees, and mixtures of scripts that the standard's
restriction level "highly restrictive" refuses. `is_reserved` finds names under which somebody could
pass for the server or its host. Names that are stored already stay valid.

The data come from the package `confusable_homoglyphs`. It lists which characters look like which
and the script of each character.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from doublecross.games.api.sentence import Sentence

LOOK_VERSION: Final = "1"
"""Stored before each look. Change it when `look_of` changes; the server then computes all anew."""

# Default_Ignorable_Code_Point of DerivedCoreProperties.txt: fonts show nothing for them.
_INVISIBLE: Final = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
_NEUTRAL: Final = frozenset({"COMMON", "INHERITED"})
"""Scripts of characters that belong to every script, such as digits and accents."""
# UTS 39, section 5.2: the mixtures of scripts that "highly restrictive" allows.
_MIXTURES: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
_RESERVED: Final = (
    *("admin", "admins", "administrator", "doublecross", "host", "moderator", "official"),
    *("operator", "root", "server", "staff", "support", "system"),
)
_MOST_MARKS: Final = 4
"""UTS 39, section 5.4: more marks on one letter run into each other."""


def problem_with(name: str) -> str:
    """Return why a new player must not have this name, as a sentence; empty if it may."""
    if name.isascii():
        return ""  # nothing below is true of such a name
    if any(low <= ord(c) <= high for c in name for low, high in _INVISIBLE):
        return Sentence("The name has invisible characters; leave them out.")
    if unicodedata.normalize("NFKC", name) != name:
        return Sentence(
            "The name has characters that look like others; write it with plain letters."
        )
    marks = 0
    for number, c in enumerate(name):
        marks = marks + 1 if unicodedata.category(c) in ("Mn", "Me") else 0
        if marks > _MOST_MARKS or (marks > 1 and c == name[number - 1]):
            return Sentence("The name has too many marks on one letter; leave some out.")
    # Few names come so far, and loading the data takes 5 ms.
    from confusable_homoglyphs import categories

    scripts = {categories.alias(c).upper() for c in name} - _NEUTRAL
    if len(scripts) > 1 and not any(scripts <= mixture for mixture in _MIXTURES):
        return Sentence("The name mixes letters of different scripts; write it in one script.")
    return ""


def is_reserved(name: str) -> bool:
    """Return whether a name looks like one that only the server's host may give."""
    return _letters(name) in _reserved()


def _letters(name: str) -> str:
    """Return the letters of a look, with one letter for i and l, whose other case looks alike."""
    look = look_of(name).partition(" ")[2]
    return "".join(c for c in look if c.isalnum()).replace("rn", "m").replace("l", "i")


@cache
def _reserved() -> frozenset[str]:
    return frozenset(map(_letters, _RESERVED))


def look_of(name: str) -> str:
    """Return what a name looks like, without regard to case; equal for names that look alike."""
    looks = _representatives()
    # Decompose, so that the letter below an accent is replaced too.
    shown = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    alike = "".join(looks.get(c, c) for c in shown)
    return f"{LOOK_VERSION} {unicodedata.normalize('NFC', alike).casefold()}"


def _preference(text: str) -> tuple[object, ...]:
    """Return a key that is smallest for the best representative."""
    return not text.isascii(), -len(text), not text.isalpha(), not text.islower(), text


@cache
def _representatives() -> dict[str, str]:
    """Return the representative of each character that looks like another one.

    The package lists pairs that look alike, in both directions. All characters that such pairs
    connect have one representative, in ASCII if possible: several characters if there are such
    (``rn`` for ``m``), otherwise a letter (``O`` for ``0``, ``l`` for ``1`` and ``I``).
    """
    # Loading the data takes 10 ms. `prepare` does it when the server has started.
    from confusable_homoglyphs.confusables import confusables_data

    found: dict[str, str] = {}
    for start in confusables_data:
        # A text of several characters is reached from those that look like it.
        if start in found or len(start) > 1:
            continue
        group, waiting = {start}, [start]
        while waiting:
            for pair in confusables_data.get(waiting.pop(), ()):
                if pair["c"] not in group:
                    group.add(pair["c"])
                    waiting.append(pair["c"])
        chosen = min(group, key=_preference)
        found.update((text, chosen) for text in group if len(text) == 1)
    # The characters of a representative have representatives too.
    return {c: "".join(found.get(part, part) for part in text) for c, text in found.items()}
