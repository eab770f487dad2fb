"""Write new texts into the catalogues: `python -m doublecross.client.language`."""

from __future__ import annotations

import sys

from doublecross.client.language.catalogues import update

if __name__ == "__main__":
    missing = update()
    for language, count in missing.items():
        print(f"{language}: {count} texts without a translation")  # noqa: T201
    sys.exit(1 if any(missing.values()) else 0)
