"""Write the tables of settings in docs/hosting.md: ``python -m doublecross.cli.settings``.

With ``--check`` it only compares them and fails when one is stale.
"""

from __future__ import annotations

import sys

from doublecross.cli.settings.show import with_tables
from doublecross.protocol.documentation.files import DOCS, write_or_check

if __name__ == "__main__":
    page = DOCS / "hosting.md"
    files = {page: with_tables(page.read_text(encoding="utf-8"))}
    about = "Write the tables of settings in docs/hosting.md."
    sys.exit(write_or_check(files, "python -m doublecross.cli.settings", about))
