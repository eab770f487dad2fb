"""Join the files of the page: its modules into packs, and its styles into one file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from doublecross.server.shell.page.code import smaller_script, smaller_style
from doublecross.server.shell.page.document import LIBRARIES, MAIN
from doublecross.server.shell.page.module import PackError
from doublecross.server.shell.page.packs import FOLDER, Pack, packed

STYLE: Final = f"{FOLDER}/style.css"
"""The file with all styles that the document names."""
_LINK: Final = re.compile(r'<link rel="stylesheet" href="\{\{web\}\}/([^"]+)">\n?')
_ALONE: Final = re.compile(r"@(?:import|charset)\b|url\(\s*[\"']?(?![\"'#/\s]|data:)[^)]*\)")
"""Rules whose meaning depends on the address of their style, or on its place among others."""
_LIBRARIES: Final = "vendor/"
_SMALLER: Final = {".js": smaller_script, ".css": smaller_style}


def joined(
    template: str, files: Mapping[str, bytes]
) -> tuple[str, dict[str, bytes], dict[str, Pack]]:
    """Return the template of the document, all files to serve, and the packs among them.

    The other files are served alone: pictures, the code of workers, and the styles that the
    document does not name, which load with the pages that need them.

    Raises:
        PackError: a module or a style cannot be packed, or a style is missing.
    """
    scripts = {name: _text(name, body) for name, body in files.items() if name.endswith(".js")}
    packs = packed(scripts, LIBRARIES, MAIN)
    inside = {path for pack in packs.values() for path in pack.paths}
    styles = _LINK.findall(template)
    served = {
        name: _alone(name, body)
        for name, body in files.items()
        if name not in inside and name not in styles
    }
    served |= {f"{FOLDER}/{name}": pack.text.encode() for name, pack in packs.items()}
    if styles:
        served[STYLE] = "\n".join(_style(name, files) for name in styles).encode()
        # One link takes the place of the first; the others vanish.
        links = iter([f'<link rel="stylesheet" href="{{{{web}}}}/{STYLE}">\n'])
        template = _LINK.sub(lambda _: next(links, ""), template)
    return template, served, packs


def _style(name: str, files: Mapping[str, bytes]) -> str:
    if name not in files:
        raise PackError(f"The document names {name}, which is not there.")
    text = smaller_style(_text(name, files[name]))
    if found := _ALONE.search(text):
        raise PackError(f"{name} has {found[0]}, which does not work in one file with others.")
    return text


def _alone(name: str, body: bytes) -> bytes:
    """Return a file that is served alone; libraries stay as they are."""
    smaller = _SMALLER.get(PurePosixPath(name).suffix)
    if name.startswith(_LIBRARIES) or smaller is None:
        return body
    try:
        return smaller(_text(name, body)).encode()
    except ValueError as error:
        raise PackError(f"{name} cannot be read: {error}.") from None


def _text(name: str, body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise PackError(f"{name} is not in UTF-8.") from None
