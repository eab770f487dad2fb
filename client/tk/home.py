"""Keep the window's settings between runs, in the user's config folder."""

from __future__ import annotations

import copy
import json
import logging
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import IO, Any, Final, get_type_hints

from platformdirs import user_config_path

from doublecross.client.private import write_private
from doublecross.client.tokens import TokenFile, kept_names, lock_now

log = logging.getLogger(__name__)

RECENT: Final = 8
"""How many server addresses are remembered."""
ENTRIES: Final = 64
"""How many hot-seat rooms, unfinished matches, and results against levels are remembered."""
WINDOWS: Final = 16
"""How many open windows have a number of their own."""

_SHARED: Final = ("hot_seats", "ladder", "unfinished")
"""The settings in which each window changes only some keys."""


@dataclass(slots=True)
class WindowSettings:
    """The settings of the window.

    `name` is the name of the person at this window, `names` those at further windows that were open
    at the same time, by the number of the window. `guest` is the name of the last second person at
    this window, `hot_seats` has the second persons by room. `unfinished` has the ids of the matches
    that are being played; `GameWatch` chooses its keys. `ladder` has the results against the levels
    (`doublecross.client.tk.models.lobby.ladder`). `premoves` says whether clicks at the opponent's
    turn choose the next move, and `rim` whether boards have letters and numbers on their rim.
    `mute_phrases` says whether the phrases of opponents are dropped, except in rooms where the
    person wants them. `recent` has addresses of servers, the last used first. `address` is the text
    of the start screen's address field. `way` is how the person last connected: ``here`` (a server
    on this machine) or ``join``. `create` and `quick` are the contents of the lobby's forms, as
    text by field. `analyse` says whether a review begins its analysis by itself. `language` is one
    of `doublecross.client.language.LANGUAGES`; empty is that of the desktop.
    """

    name: str = ""
    language: str = ""
    names: dict[str, str] = field(default_factory=dict)
    guest: str = ""
    hot_seats: dict[str, str] = field(default_factory=dict)
    unfinished: dict[str, str] = field(default_factory=dict)
    ladder: dict[str, str] = field(default_factory=dict)
    recent: list[str] = field(default_factory=list)
    address: str = ""
    way: str = ""
    dark: bool = False
    palette: str = "classic"
    keep_colours: bool = True
    sound: bool = True
    premoves: bool = True
    mute_phrases: bool = False
    rim: bool = False
    overlay: bool = False
    analyse: bool = False
    geometry: str = ""
    create: dict[str, str] = field(default_factory=dict)
    quick: dict[str, str] = field(default_factory=dict)


class Home:
    """Reads and writes the settings in `folder` (None for the program's own config folder).

    Several windows may be open at the same time. Each writes only the settings that were changed in
    it, and keeps what the others wrote meanwhile. Each has a number, from 1, and a name of its own
    under that number: the name at a second window does not become that of the first one.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or user_config_path("doublecross")
        self.settings = self._read()
        self._written = copy.deepcopy(self.settings)
        self._number = 1
        self._lock: IO[bytes] | None = None

    def open_window(self) -> None:
        """Give this window the lowest number that no other open window has, and its name."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for number in range(1, WINDOWS + 1):
                lock = (self.folder / f"window-{number}.lock").open("wb")
                if lock_now(lock):
                    self._number, self._lock = number, lock
                    break
                lock.close()
        except OSError as error:
            log.warning("This window cannot get a number in %s (%s).", self.folder, error)
        if self._number > 1:
            self.settings.name = self._written.name = self.settings.names.get(str(self._number), "")

    def close_window(self) -> None:
        """Release the number of this window."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @property
    def _path(self) -> Path:
        return self.folder / "window.json"

    def save(self) -> None:
        """Write the changed settings; if that fails, log it and go on."""
        found = self._read()
        for each in fields(WindowSettings):
            mine, written = getattr(self.settings, each.name), getattr(self._written, each.name)
            if mine == written:
                continue
            if each.name == "name" and self._number > 1:
                found.names[str(self._number)] = mine
                continue
            if each.name == "recent":
                mine = _first(mine, found.recent)
            elif each.name in _SHARED:
                mine = _merged(getattr(found, each.name), mine, written)
            setattr(found, each.name, mine)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private(self._path, json.dumps(asdict(found), indent=2) + "\n")
        except OSError as error:
            log.warning("Settings cannot be written to %s (%s).", self.folder, error)
        else:
            self._written = copy.deepcopy(self.settings)

    def remember_server(self, url: str) -> None:
        """Put the server that was just joined first in `recent`, and save."""
        self.settings.recent = _first([url], self.settings.recent)
        self.save()

    def token_file(self, server: str, name: str) -> TokenFile:
        """Return the file for the token of `name` on `server`.

        Names that differ only in case share one file, because a server treats them as equal.
        """
        return TokenFile(self.folder / "players", server, name.casefold())

    def kept_names(self, server: str) -> list[str]:
        """Return the names that have tokens for `server`, in lower case and sorted."""
        return kept_names(self.folder / "players", server)

    def _read(self) -> WindowSettings:
        """Read the settings; missing or malformed ones keep their defaults."""
        kept = WindowSettings()
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
        hints = get_type_hints(WindowSettings)
        for each in fields(WindowSettings):
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
    """Return `new`, then the rest of `old`, cut to `RECENT` items."""
    return [*new, *(other for other in old if other not in new)][:RECENT]


def _merged(found: dict[str, str], mine: dict[str, str], written: dict[str, str]) -> dict[str, str]:
    """Return `found` with what changed from `written` to `mine`, cut to the last `ENTRIES`."""
    kept = {key: text for key, text in found.items() if key in mine or key not in written}
    changed = {key: text for key, text in mine.items() if written.get(key) != text}
    return dict([*(kept | changed).items()][-ENTRIES:])


def _plain(value: object) -> bool:
    """Return whether `value` is text that Tk can show. JSON allows lone surrogates, Tk does not."""
    return isinstance(value, str) and value.isprintable()
