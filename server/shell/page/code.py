"""Remove from the page's code what browsers do not need: comments, and space between tokens.

That is a third of what a first visit would load. Line ends stay where a statement may end, so
nothing depends on how JavaScript completes missing semicolons. Templates of components lose their
indents: a browser shows a line end as it shows many spaces. A test compares the syntax trees of all
files before and after.
"""

from __future__ import annotations

import re
from typing import Final

_SPACE: Final = re.compile(r"\s*\n\s*")
_COMMENT: Final = re.compile(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/")
_STYLE_COMMENT: Final = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|/\*(?:[^*]|\*(?!/))*\*/""", re.DOTALL
)
"""A comment, or a string, in which there is none."""
_STYLE_SPACE: Final = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|;?\s*([{}])\s*|([;:,])\s+"""
)
"""A string, or a mark and the space around it; space before a colon has a meaning."""
_CODE: Final = re.compile(r"[^/`\"']*")
_CODE_IN_TEMPLATE: Final = re.compile(r"[^/`\"'{}]*")
_STRING: Final = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")
_TEMPLATE: Final = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(`|\$\{)", re.DOTALL)
_EXPRESSION: Final = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/")
_VALUE: Final = re.compile(r"[\w$)\]}\0.]\s*\Z")
"""The end of code after which a slash divides."""
_KEYWORD: Final = re.compile(
    r"(?<![\w$.])(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield)\s*\Z"
)
"""The ends of code after which a slash does not divide, although they look like names."""
_COMPONENT: Final = re.compile(r"(?<![\w$.])html\Z")
"""The tag before a template of components."""
_INDENT: Final = re.compile(r"\n[ \t]+")
_OPERATOR: Final = re.compile(r"(?<=[\w$)\]\0]) ([-+%]) (?=[\w$(\[\0.!])")
"""An operator with space on both sides; two signs in a row keep it."""
_KEPT: Final = "\0"
"""A placeholder for a string, an expression or the text of a template, which do not change."""
_REMOVED: Final = (
    *((mark + space, mark) for mark in "{([,;" for space in " \n"),
    *((space + mark, mark) for mark in ")]}" for space in " \n"),
    *((mark + " ", mark) for mark in ":=<>?&|!)]}"),
    *((" " + mark, mark) for mark in ":=<>?&|!{([,;" + _KEPT),
)


def smaller_style(source: str) -> str:
    """Return a style sheet without comments, and without space that has no meaning."""
    text = _SPACE.sub("\n", _STYLE_COMMENT.sub(lambda found: found[1] or "", source)).strip()
    return _STYLE_SPACE.sub(lambda found: found[1] or found[2] or found[3], text)


def smaller_script(source: str) -> str:
    """Return JavaScript without comments and without space between its tokens.

    Raises:
        ValueError: a string or a template has no end.
    """
    return smaller_parts(source)[0]


def smaller_parts(source: str) -> tuple[str, list[str]]:
    """Return the result of `smaller_script`, and the strings, expressions and texts in it.

    Raises:
        ValueError: a string or a template has no end.
    """
    code, kept = _Scanner(source).split()
    for space, mark in _REMOVED:
        code = code.replace(space, mark)
    code = _OPERATOR.sub(r"\1", code)
    parts = code.strip().split(_KEPT)
    whole = "".join(part for pair in zip(parts, [*kept, ""], strict=True) for part in pair)
    return whole, kept


class _Scanner:
    """Tell code from comments, strings, regular expressions and the text of templates."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._code: list[str] = []
        self._kept: list[str] = []
        # For each template around a place: how many braces are open in its code, and whether the
        # template is one of components.
        self._open: list[int] = []
        self._components: list[bool] = []

    def split(self) -> tuple[str, list[str]]:
        """Return the code with `_KEPT` in place of the parts that must not change, and these."""
        at = 0
        while at < len(self._source):
            # Braces matter only in a template, where one of them ends the code.
            found = (_CODE_IN_TEMPLATE if self._open else _CODE).match(self._source, at)
            # The expressions match even where there is no code.
            assert found
            self._code.append(found[0])
            at = found.end()
            if at < len(self._source):
                at = self._after(at)
        return re.sub("[ \t]+", " ", _SPACE.sub("\n", "".join(self._code))), self._kept

    def _after(self, at: int) -> int:
        """Take the token that begins at `at`, and return where it ends."""
        mark = self._source[at]
        if mark in "\"'":
            return self._keep(_STRING.match(self._source, at), at)
        if mark == "/":
            return self._slash(at)
        if mark == "`":
            return self._template(at, bool(_COMPONENT.search(self._code[-1])))
        # Only a brace in the code of a template is left.
        self._open[-1] += 1 if mark == "{" else -1
        if self._open[-1] < 0:
            self._open.pop()
            return self._template(at, self._components.pop())
        self._code.append(mark)
        return at + 1

    def _slash(self, at: int) -> int:
        comment = _COMMENT.match(self._source, at)
        if comment is not None:
            # A comment of several lines ends a statement as the end of a line does.
            self._code.append("\n" if "\n" in comment[0] else " ")
            return comment.end()
        expression = _EXPRESSION.match(self._source, at)
        if expression is None or self._divides():
            self._code.append("/")
            return at + 1
        return self._keep(expression, at)

    def _divides(self) -> bool:
        """Return whether a slash divides here; otherwise an expression can begin."""
        before = next((part for part in reversed(self._code) if part.strip()), "")
        if before == _KEPT and self._kept[-1].endswith("${"):
            return False  # code in a template begins
        return bool(_VALUE.search(before)) and not _KEYWORD.search(before)

    def _template(self, at: int, components: bool) -> int:
        """Keep the text of a template up to its end, or up to code in it."""
        found = _TEMPLATE.match(self._source, at + 1)
        end = self._keep(found, at)
        if components:
            self._kept[-1] = _INDENT.sub("\n", self._kept[-1])
        if found and found[1] != "`":
            self._open.append(0)
            self._components.append(components)
        return end

    def _keep(self, found: re.Match[str] | None, at: int) -> int:
        if found is None:
            line = self._source.count("\n", 0, at) + 1
            raise ValueError(f"what begins with {self._source[at]} in line {line} has no end")
        self._kept.append(self._source[at : found.end()])
        self._code.append(_KEPT)
        return found.end()
