"""Write the documentation files that are generated from the messages, or find stale ones."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from doublecross.protocol.documentation.forms import message_forms
from doublecross.protocol.documentation.reference import page

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
TYPES: Final = ROOT / "client" / "web" / "types"
PAGE_FILE: Final = "protocol.md"
FORMS_FILE: Final = "forms.js"
COMMAND: Final = "python -m doublecross.protocol.documentation"


def generated() -> dict[Path, str]:
    """Return the current content of each generated file, by path."""
    template = (DOCS / "templates" / PAGE_FILE).read_text(encoding="utf-8")
    example = (DOCS / "example-session.jsonl").read_text(encoding="utf-8")
    return {
        DOCS / PAGE_FILE: page(template, example),
        TYPES / FORMS_FILE: message_forms(),
    }


def stale(files: Mapping[Path, str] | None = None) -> list[Path]:
    """Return the generated files that are missing or have outdated content.

    `files` has their current content by path; None means those of `generated`.
    """
    return [
        path
        for path, text in (generated() if files is None else files).items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str] | None = None) -> int:
    """Write or check the generated files and return the exit code."""
    return write_or_check(
        generated(),
        COMMAND,
        "Write docs/protocol.md and client/web/types/forms.js from the messages.",
        arguments,
    )


def write_or_check(
    files: Mapping[Path, str], command: str, about: str, arguments: list[str] | None = None
) -> int:
    """Write or check files with this content, as the arguments say, and return the exit code.

    `command` writes these files, and `about` describes it.
    """
    parser = argparse.ArgumentParser(prog=command, description=about)
    parser.add_argument(
        "--check", action="store_true", help="only compare; exit with 1 when a file is stale"
    )
    checking = parser.parse_args(arguments).check
    for path in stale(files):
        if checking:
            sys.stdout.write(f"{path} is stale: run {command}\n")
        else:
            path.write_text(files[path], encoding="utf-8")
            sys.stdout.write(f"wrote {path}\n")
    return 1 if checking and stale(files) else 0
