"""Write the files made from the messages: ``python -m doublecross.protocol.documentation``.

These are `docs/protocol.md` and `client/web/types/forms.js`.

With ``--check`` it only compares the files and fails when one of them is stale.
"""

from __future__ import annotations

import sys

from doublecross.protocol.documentation.files import main

if __name__ == "__main__":
    sys.exit(main())
