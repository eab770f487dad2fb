"""Keeps what the window remembers from one run to the next, in the user's config folder."""

from __future__ import annotations

import copy
import json
import logging
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, get_type_hints

from platformdirs import user_config_path

from client.tokens import TokenFile, write_private

log = logging.getLogger(__name__)

RECENT: Final = 8
"""How many servers are remembered."""


@dataclass(slots=True)
class Kept:
    """What is remembered.

    `guest` is the second person who last sat at this window. `recent` are addresses of servers, the
    last used first. `address` is the text in the start screen's field for one, and `way` how the
    person last connected, ``here`` or ``join``. `create` and `quick` are what was chosen in the
    forms, as text by field.
    """

    name: str = ""
    guest: str = ""
    recent: list[str] = field(default_factory=list)
    address: str = ""
    way: str = ""
    dark: bool = False
    palette: str = "classic"
    sound: bool = True
    overlay: bool = False
    geometry: str = ""
    create: dict[str, str] = field(default_factory=dict)
    quick: dict[str, str] = field(default_factory=dict)


class Home:
    """Reads and writes `folder`; None: this program's folder in the user's config folder.

    Several windows may be open: each writes only what was changed in it, over what the others have
    written meanwhile.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_config_path("doublecross")
        self.kept = self._read()
        self._written = copy.deepcopy(self.kept)

    @property
    def _path(self) -> Path:
        return self.folder / "window.json"

    def save(self) -> None:
        """Write what was changed. A folder that cannot be written is logged and nothing else."""
        found = self._read()
        for each in fields(Kept):
            mine = getattr(self.kept, each.name)
            if mine != getattr(self._written, each.name):
                if each.name == "recent":
                    mine = _first(mine, found.recent)
                setattr(found, each.name, mine)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private(self._path, json.dumps(asdict(found), indent=2) + "\n")
        except OSError as error:
            log.warning("Settings cannot be kept in %s (%s).", self.folder, error)
        else:
            self._written = copy.deepcopy(self.kept)

    def used(self, url: str) -> None:
        """Put a server that was joined first among the recent ones, and save."""
        self.kept.recent = _first([url], self.kept.recent)
        self.save()

    def token_file(self, server: str, name: str) -> TokenFile:
        """Return the file for the token of `name` on `server`. Names that differ only in case share
        one, as they do for a server."""
        return TokenFile(self.folder / "players", server, name.casefold())

    def _read(self) -> Kept:
        """Read the file. Whatever it lacks or has wrong keeps its default."""
        kept = Kept()
        try:
            found: Any = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return kept
        except (OSError, ValueError, RecursionError) as error:
            log.warning("The settings in %s cannot be read (%s).", self._path, error)
            return kept
        if not isinstance(found, dict):
            log.warning("The settings in %s cannot be read (no object).", self._path)
            return kept
        hints = get_type_hints(Kept)
        for each in fields(Kept):
            value = found.get(each.name)
            kind = hints[each.name]
            if (kind is bool and isinstance(value, bool)) or (kind is str and _plain(value)):
                setattr(kept, each.name, value)
            elif kind == list[str] and isinstance(value, list):
                setattr(kept, each.name, [v for v in value if _plain(v)][:RECENT])
            elif kind == dict[str, str] and isinstance(value, dict):
                texts = {k: v for k, v in value.items() if _plain(k) and _plain(v)}
                setattr(kept, each.name, texts)
        return kept


def _first(new: list[str], old: list[str]) -> list[str]:
    """Return `new` and then the rest of `old`, as many as are remembered."""
    return [*new, *(other for other in old if other not in new)][:RECENT]


def _plain(value: object) -> bool:
    """Return whether it is a text that Tk can show. It cannot show half a character, which JSON
    allows."""
    return isinstance(value, str) and value.isprintable()
