"""Read one ES module of the page: its imports and exports, and the code without them.

The reader knows only the forms of statements that the page uses:

    import { a, b as c } from "./x.js";  import a from "./x.js";  import "./x.js";
    export const a = ...;  export class A ...  export function a() ...  export async function ...
    export { a, b as c };  export { a } from "./x.js";  export default function ...
    import("./x.js")  import.meta.url

Imports stand at the top, and each constant has an `export` of its own. Other forms are refused,
because a pack would not do the same. Exported variables are refused too, and texts that look like
these statements.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from doublecross.server.shell.page.code import smaller_parts

_NAME: Final = r"[\w$]+"
_FROM: Final = re.compile(
    rf"""\s*(?:import\ (?P<default>{_NAME})\ from
         |(?P<how>import|export)\{{(?P<names>[^{{}}]*)\}}from
         |import)\s*"(?P<source>[^"\n]+)";?""",
    re.VERBOSE,
)
# A statement begins after a semicolon, a brace or the end of a line. The word comes first in these
# expressions, because Python searches for a text faster than it looks behind each character.
_DECLARED: Final = re.compile(
    rf"export(?<=[;}}\n]export) ((?:async function|function|class|const) ({_NAME}))"
)
_DEFAULT: Final = re.compile(rf"export(?<=[;}}\n]export) default function(?: ({_NAME}))?(?=\()")
_LISTED: Final = re.compile(r"export(?<=[;}\n]export)\{([^{}]*)\}(?!from);?")
_VARIABLE: Final = re.compile(rf"let(?<=[;}}\n]let) ({_NAME})")
_UNKNOWN: Final = (
    re.compile(r"export(?<=[;}\n]export)\b(?![(.:,=]).{0,40}"),
    re.compile(r"import(?<=[;}\n]import)\b(?![(.:,=]).{0,40}"),
    re.compile(r"import(?<![\w$.]import)\.meta\b(?!\.url\b).{0,40}"),
)
_DYNAMIC: Final = re.compile(r'import(?<![\w$.]import)\((?:"([^"\n]+)"\))?')
_IN_TEXT: Final = re.compile(
    r"(?:(?<=[;}\n])(?:ex|im)port\b|(?<![\w$.])import(?:\(|\.meta\b)).{0,40}"
)
"""Texts in strings and templates that these expressions would take for statements."""
_META_URL: Final = re.compile(r"import(?<![\w$.]import)\.meta\.url\b")
_DEFAULT_NAME: Final = "default_"


class PackError(Exception):
    """The page cannot be packed. The message is one sentence for people who change the page."""


@dataclass(frozen=True, slots=True)
class Import:
    """An import or `export ... from`: `names` are pairs, in the other module and in this one."""

    path: str
    names: tuple[tuple[str, str], ...]
    exported: bool


@dataclass(frozen=True, slots=True)
class Module:
    """An ES module: `exports` has the local name of each exported one."""

    path: str
    imports: tuple[Import, ...]
    dynamic: tuple[str, ...]
    exports: Mapping[str, str]
    code: str

    @classmethod
    def read(cls, path: str, source: str, libraries: Mapping[str, str]) -> Module:
        """Return the module at `path`, which finds libraries by their names.

        Raises:
            PackError: it has a form of import or export that packs do not know.
        """
        try:
            code, texts = smaller_parts(source)
        except ValueError as error:
            raise PackError(f"{path} cannot be read: {error}.") from None
        imports = []
        end = 0
        while found := _FROM.match(code, end):
            end = found.end()
            names = _pairs(found["names"] or "")
            if found["default"]:
                names = (("default", found["default"]),)
            target = libraries.get(found["source"]) or resolved(path, found["source"])
            imports.append(Import(target, names, found["how"] == "export"))
        exports: dict[str, str] = {}

        def declared(found: re.Match[str]) -> str:
            exports[found[2]] = found[2]
            return found[1]

        def listed(found: re.Match[str]) -> str:
            exports.update((outside, inside) for inside, outside in _pairs(found[1]))
            return ""

        def default(found: re.Match[str]) -> str:
            exports["default"] = found[1] or _DEFAULT_NAME
            return f"function {exports['default']}"

        # The expressions look for the end of a line before a statement, also before the first one.
        code = _DECLARED.sub(declared, f"\n{code[end:]}")
        code = _LISTED.sub(listed, _DEFAULT.sub(default, code))
        for text in texts:
            if unknown := _IN_TEXT.search(text):
                raise PackError(f"{path} has a text that looks like a statement: {unknown[0]}")
        for variable in {*exports.values()} & {*_VARIABLE.findall(code)}:
            raise PackError(f"{path} must not export {variable}, which may change: use const.")
        for form in _UNKNOWN:
            if unknown := form.search(code):
                raise PackError(f"{path} has a statement that packs do not know: {unknown[0]}")
        dynamic = []
        for each in _DYNAMIC.finditer(code):
            if each[1] is None:
                place = code[each.start() : each.end() + 40].partition("\n")[0]
                raise PackError(f"{path} must name the module that it imports: {place}")
            dynamic.append(resolved(path, each[1]))
        return cls(path, tuple(imports), tuple(dynamic), exports, code.strip())

    @property
    def names(self) -> set[str]:
        """The names that it exports."""
        listed = (name for each in self.imports if each.exported for _, name in each.names)
        return {*self.exports, *listed}

    def wrapped(self, names: Mapping[str, str], load: Mapping[str, str], base: str) -> str:
        """Return the module as a statement of a pack.

        It defines the constant `names[self.path]`, an object with the exports of the module. `load`
        has the expression that loads a module dynamically, by its path. `base` is the address of
        the page's folder, relative to the pack.
        """
        before = []
        returned = [
            f"{out}:{inner}" if out != inner else out for out, inner in self.exports.items()
        ]
        for each in self.imports:
            other = names[each.path]
            if each.exported:
                returned += [f"{outside}:{other}.{inside}" for inside, outside in each.names]
            elif each.names:
                pairs = (a if a == b else f"{a}:{b}" for a, b in each.names)
                before.append(f"const{{{','.join(pairs)}}}={other};")
        code = _META_URL.sub(f'new URL("{base}{self.path}",import.meta.url).href', self.code)
        code = _DYNAMIC.sub(lambda found: load[resolved(self.path, found[1])], code)
        head = f"const {names[self.path]}=(()=>{{{''.join(before)}"
        # On a line of its own, because the last statement may have no semicolon.
        return f"{head}{code}\nreturn{{{','.join(returned)}}}}})();"


def resolved(path: str, source: str) -> str:
    """Return the path of a module that the one at `path` names by a relative path.

    Raises:
        PackError: it is no relative path.
    """
    if not source.startswith("."):
        raise PackError(f'{path} imports "{source}", which is no library of the page.')
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), source))


def _pairs(names: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of `a, b as c`: (a, a) and (b, c)."""
    each = (name.split() for name in names.split(",") if name.strip())
    return tuple((words[0], words[-1]) for words in each)
