"""Write the documentation files that are generated from the messages, or find stale ones."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from protocol.documentation.reference import page
from protocol.documentation.schema import json_schema

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
SCHEMA_FILE: Final = "protocol.schema.json"
PAGE_FILE: Final = "protocol.md"


def generated() -> dict[Path, str]:
    """Return the current content of each generated file, by path."""
    template = (DOCS / "templates" / PAGE_FILE).read_text(encoding="utf-8")
    example = (DOCS / "example-session.jsonl").read_text(encoding="utf-8")
    return {
        DOCS / SCHEMA_FILE: json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n",
        DOCS / PAGE_FILE: page(template, example),
    }


def stale() -> list[Path]:
    """Return the generated files that are missing or have outdated content."""
    return [
        path
        for path, text in generated().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str] | None = None) -> int:
    """Write or check the generated files and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m protocol.documentation",
        description="Write docs/protocol.md and docs/protocol.schema.json from the messages.",
    )
    parser.add_argument(
        "--check", action="store_true", help="only compare; exit with 1 when a file is stale"
    )
    checking = parser.parse_args(arguments).check
    for path in stale():
        if checking:
            sys.stdout.write(f"{path} is stale: run python -m protocol.documentation\n")
        else:
            path.write_text(generated()[path], encoding="utf-8")
            sys.stdout.write(f"wrote {path}\n")
    return 1 if checking and stale() else 0
