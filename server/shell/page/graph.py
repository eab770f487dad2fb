"""Read the modules of the page that belong together, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from doublecross.server.shell.page.module import Module, PackError

Modules = Mapping[str, Module]
"""Modules by their paths. Each comes after those that it imports at once."""


def read_modules(sources: Mapping[str, str], libraries: Mapping[str, str], first: str) -> Modules:
    """Return the module `first` and all that it imports, at once or dynamically.

    `sources` are JavaScript by paths, `libraries` the paths of the libraries by their names.

    Raises:
        PackError: one cannot be packed, is missing, or lacks what another imports, or they import
            each other in a circle.
    """
    found: dict[str, Module] = {}
    open_: list[str] = []
    waiting = [(first, "The page")]

    def visit(path: str, by: str) -> None:
        if path in found:
            return
        if path in open_:
            circle = " -> ".join([*open_[open_.index(path) :], path])
            raise PackError(f"Modules of the page import each other in a circle: {circle}")
        if path not in sources:
            raise PackError(f"{by} imports {path}, which is not there.")
        module = Module.read(path, sources[path], libraries)
        open_.append(path)
        for each in module.imports:
            visit(each.path, path)
            for name, _ in each.names:
                if name not in found[each.path].names:
                    raise PackError(f"{path} imports {name} from {each.path}, which lacks it.")
        open_.pop()
        found[path] = module
        waiting.extend((target, path) for target in module.dynamic)

    # The list grows meanwhile.
    for path, by in waiting:
        visit(path, by)
    return found


def reached(starts: Iterable[str], after: Callable[[str], Iterable[str]]) -> list[str]:
    """Return `starts` and all that follows from them, without repetition."""
    found = dict.fromkeys(starts)
    waiting = list(found)
    # The list grows meanwhile.
    for node in waiting:
        for other in after(node):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return list(found)
