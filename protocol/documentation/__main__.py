"""Write `docs/protocol.schema.json` and `docs/protocol.md`: ``python -m protocol.documentation``.

With ``--check`` it only compares the files and fails when one of them is stale.
"""

from __future__ import annotations

import sys

from protocol.documentation.files import main

if __name__ == "__main__":
    sys.exit(main())
