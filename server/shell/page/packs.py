"""Join the ES modules of the page into a few packs, so that a visit needs few requests.

A pack is itself an ES module. Each module in it is a function that runs at once and returns what
the module exports:

    import{$errors}from"./main.js";
    const $core_room=(()=>{const{Gap}=$errors; ...
    return{RoomMirror}})();
    export{$core_room};

Modules run in the order of their imports. `import("./x.js")` becomes the import of the pack that
contains it, and `import.meta.url` keeps its value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from doublecross.server.shell.page.graph import Modules, reached, read_modules
from doublecross.server.shell.page.module import PackError

FOLDER: Final = "packs"
"""The folder of the packs, in that of the page."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A pack to make: the pack that loads before it, and the entries whose modules it takes.

    An entry is the first module of the page, or the target of a dynamic import. A module goes into
    the pack that needs it. If several do, it goes into the nearest pack that loads before all of
    them. So packs never import each other in a circle.
    """

    after: str | None
    entries: tuple[str, ...] = ()


PLANS: Final[Mapping[str, Plan]] = {
    "main": Plan(None, ("main.js",)),
    "lobby": Plan(
        "main",
        (
            *("pages/lobby.js", "pages/lobby/challenge.js", "pages/lobby/dialogs.js"),
            *("frame/settings-dialog.js", "frame/shortcuts-dialog.js"),
        ),
    ),
    "board": Plan("main"),
    "room": Plan("board", ("pages/room.js", "models/room/hot-seat.js")),
    "rim": Plan("board", ("board/rim.js",)),
    "qr": Plan("main", ("widgets/qr.js",)),
    "parts": Plan("board"),
    "more": Plan("parts"),
    "mine": Plan("parts", ("pages/me.js",)),
    "ratings": Plan("parts", ("pages/ratings.js", "pages/player.js")),
    "account": Plan("parts", ("pages/account.js",)),
    "admin": Plan("account", ("pages/admin.js",)),
    "organise": Plan("more", ("pages/tournament/create.js",)),
    "study": Plan("parts", ("study/worst-move.js",)),
    "review": Plan("study", ("pages/game.js", "pages/records.js")),
    "learn": Plan(
        "study",
        (
            *("pages/learn.js", "pages/lesson.js", "pages/puzzles.js", "pages/puzzle.js"),
            "pages/rules.js",
        ),
    ),
}
"""The packs of the page. A first visit of the lobby or of a room is the most frequent one."""
STUDY: Final = frozenset({"rim", "mine", "ratings", "organise", "study", "review", "learn"})
"""The packs for people who study games or ratings, organise tournaments, or want labels.

Nobody else loads them to play, so the part for players stays small. Each may have a style of its
own, `style/NAME.css`, which loads with it.
"""
MANAGE: Final = frozenset({"account", "admin"})
"""The packs for people who manage their account or the server. Each may have a style of its own."""
OTHERS: Final = "more"
"""The pack that takes all other entries."""


@dataclass(frozen=True, slots=True)
class Pack:
    """Modules in one file. `before` names the packs that load before it, the nearest one first."""

    text: str
    paths: frozenset[str]
    before: tuple[str, ...]


def packed(sources: Mapping[str, str], libraries: Mapping[str, str], first: str) -> dict[str, Pack]:
    """Return the packs of the page whose first module is `first`, by the names of their files.

    `sources` are JavaScript by paths, `libraries` the paths of the libraries by their names.

    Raises:
        PackError: a module cannot be packed.
    """
    modules = read_modules(sources, libraries, first)
    writer = _Writer(modules, _homes(modules, first))
    return {f"{name}.js": writer.pack(name) for name in PLANS if name in writer.used}


def loaded(packs: Mapping[str, Pack], paths: Iterable[str]) -> list[str]:
    """Return the names of the packs that load when the modules at these paths do."""
    wanted = set(paths)
    found = [name for name, pack in packs.items() if wanted & pack.paths]
    return list(dict.fromkeys(each for name in found for each in (*packs[name].before, name)))


def _chain(name: str) -> list[str]:
    """Return this pack and those that load before it, the first one first."""
    after = PLANS[name].after
    return [*(_chain(after) if after else []), name]


def _constants(paths: Iterable[str]) -> dict[str, str]:
    """Return the name of the constant for each module: `$room`, or `$core_room` if several fit.

    Raises:
        PackError: two modules have paths that differ too little.
    """
    whole = {path: "$" + re.sub(r"\W", "_", path.removesuffix(".js")) for path in paths}
    short = {path: "$" + re.sub(r"\W", "_", PurePosixPath(path).stem) for path in paths}
    counts = Counter([*short.values(), *whole.values()])
    names = {path: short[path] if counts[short[path]] == 1 else whole[path] for path in whole}
    if len(set(names.values())) < len(names):
        raise PackError("Two modules of the page have paths that differ too little.")
    return names


def _homes(modules: Modules, first: str) -> dict[str, str]:
    """Return the pack of each module."""
    planned = {entry: name for name, plan in PLANS.items() for entry in plan.entries}
    users: dict[str, set[str]] = {path: set() for path in modules}
    for entry in {first, *(path for each in modules.values() for path in each.dynamic)}:
        pack = planned.get(entry, OTHERS)
        for path in reached([entry], lambda path: [each.path for each in modules[path].imports]):
            users[path].add(pack)
    homes = {}
    for path, names in users.items():
        chains = [_chain(name) for name in names]
        homes[path] = [name for name in chains[0] if all(name in chain for chain in chains)][-1]
    return homes


class _Writer:
    """Write the packs, where `homes` has the pack of each module."""

    def __init__(self, modules: Modules, homes: Mapping[str, str]) -> None:
        self._modules = modules
        self._homes = homes
        self.used = {each for name in homes.values() for each in _chain(name)}
        """The packs that have a module, and those before them."""
        self._constants = _constants(modules)
        self._wanted = {path for each in modules.values() for path in each.dynamic}
        for module in modules.values():
            others = {each.path for each in module.imports}
            self._wanted |= {path for path in others if homes[path] != homes[module.path]}

    def pack(self, name: str) -> Pack:
        """Return a pack, which exports the modules that other packs want."""
        before = _chain(name)[-2::-1]
        inside = [path for path in self._modules if self._homes[path] == name]
        used = {each.path for path in inside for each in self._modules[path].imports}
        lines = []
        for other in before:
            names = [self._constants[path] for path in sorted(used) if self._homes[path] == other]
            lines.append(f'import{{{",".join(names)}}}from"./{other}.js";')
        for path in inside:
            module = self._modules[path]
            loads = {target: self._load(target, name) for target in module.dynamic}
            lines.append(module.wrapped(self._constants, loads, "../"))
        exported = [self._constants[path] for path in inside if path in self._wanted]
        lines.append(f"export{{{','.join(exported)}}};")
        return Pack("\n".join(lines), frozenset(inside), tuple(f"{other}.js" for other in before))

    def _load(self, path: str, name: str) -> str:
        """Return the expression with which the pack `name` imports a module dynamically.

        The expression loads the packs before that one at the same time, and not one after another.
        """
        # The pack of the module comes first, because its constant is taken below.
        new = [each for each in reversed(_chain(self._homes[path])) if each not in _chain(name)]
        wanted = new or [self._homes[path]]
        imports = [f'import("./{each}.js")' for each in wanted]
        constant = self._constants[path]
        if len(imports) == 1:
            return f"{imports[0]}.then((pack)=>pack.{constant})"
        return f"Promise.all([{','.join(imports)}]).then(([pack])=>pack.{constant})"
