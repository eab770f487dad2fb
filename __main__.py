"""`python -m doublecross`: the same as the command `doublecross`."""

from __future__ import annotations

import sys

from doublecross.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
