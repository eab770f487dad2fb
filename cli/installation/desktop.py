"""Add the window and record files to the menus of a Linux desktop: `doublecross desktop`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from doublecross.cli.shared.console import Problem, say, warn
from doublecross.cli.shared.family import add, family

app = family("desktop", no_args_is_help=True)

_MIME: Final = "application/x-doublecross-record"
_UPDATES: Final = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
"""The programs that make new files known, and the folder of each."""
_ENTRY: Final = "[Desktop Entry]\nType=Application\nIcon=doublecross\nExec={command}\n"
_PLAY: Final = f"""{_ENTRY}Name=Doublecross
Comment=Play Dots and Boxes and other games
Categories=Game;BoardGame;
StartupWMClass=Doublecross
"""
_REPLAY: Final = f"""{_ENTRY}Name=Doublecross replay
Comment=Step through a finished game
Terminal=true
NoDisplay=true
MimeType={_MIME};
"""
_TYPES: Final = f"""<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{_MIME}">
    <sub-class-of type="text/plain"/>
    <comment>Record of Doublecross games</comment>
    <icon name="doublecross"/>
    <magic priority="60"><match type="string" offset="0" value="[Game &quot;"/></magic>
    <glob pattern="*.dxr"/>
  </mime-type>
</mime-info>
"""


def files() -> Mapping[str, str]:
    """Return the text of each file by its path in the user's data folder."""
    from doublecross.server.data_folder import ROOT

    icon = ROOT / "client" / "web" / "icons" / "icon.svg"
    return {
        "applications/doublecross.desktop": _PLAY.format(command=f"{_program()} play"),
        "applications/doublecross-replay.desktop": _REPLAY.format(
            command=f"{_program()} replay %f"
        ),
        "icons/hicolor/scalable/apps/doublecross.svg": icon.read_text("utf-8"),
        "mime/packages/doublecross.xml": _TYPES,
    }


def install() -> None:
    """Add Doublecross to the menu of games, and let it open files of records.

    Names of such files end in .dxr. They open in a terminal, with the command replay. Repeat
    this after you have moved the installation.

    Example: doublecross desktop install
    """
    root = _root()
    for name, text in files().items():
        path = root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        except OSError as error:
            raise Problem(f"{path} cannot be written: {error.strerror}.") from None
        say(f"Wrote {path}")
    _update(root)


def remove() -> None:
    """Remove what `desktop install` has added.

    Example: doublecross desktop remove
    """
    root = _root()
    for name in files():
        path = root / name
        if path.exists():
            path.unlink()
            say(f"Removed {path}")
    _update(root)


def _root() -> Path:
    """Return the user's data folder; refuse to go on where desktops do not read it."""
    from platformdirs import user_data_path

    if sys.platform in ("win32", "darwin"):
        raise Problem("This command is for desktops that follow freedesktop.org, as on Linux.")
    return user_data_path()


def _program() -> str:
    """Return the command that starts this installation, as the line `Exec` of an entry has it."""
    script = Path(sysconfig.get_path("scripts"), "doublecross")
    if script.exists():
        return _quoted(str(script))
    return f"{_quoted(sys.executable)} -m doublecross"


def _quoted(word: str) -> str:
    inner = re.sub(r'([\\"`$])', r"\\\1", word)
    # The whole value has escapes of its own.
    return '"{}"'.format(inner.replace("\\", "\\\\").replace("%", "%%"))


def _update(root: Path) -> None:
    for program, folder in _UPDATES:
        if not (root / folder).is_dir():
            continue
        if (found := shutil.which(program)) is None:
            warn(f"Without {program} the desktop may see this only after the next login.")
        else:
            subprocess.run([found, str(root / folder)], capture_output=True, check=False)


for _command in (install, remove):
    add(app, _command)
