"""Copy the libraries of the browser page from npm's folder into `client/web/vendor`.

Change a version in `package.json`, run `npm install --prefix tests/node`, then this command:
`python -m tests.node.vendor`. The lock file pins the contents of each package, and a test compares
the copies with the packages.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

PACKAGES: Final = Path(__file__).parent / "node_modules"
VENDOR: Final = Path(__file__).parents[2] / "client" / "web" / "vendor"

COPIES: Final = {
    "preact.js": "preact/dist/preact.mjs",
    "preact-hooks.js": "preact/hooks/dist/hooks.mjs",
    "signals-core.js": "@preact/signals-core/dist/signals-core.mjs",
    "signals.js": "@preact/signals/dist/signals.mjs",
    "htm.js": "htm/dist/htm.mjs",
    "uplot.js": "uplot/dist/uPlot.iife.min.js",
    "uplot.css": "uplot/dist/uPlot.min.css",
    "uqr.js": "uqr/dist/index.mjs",
    "licences/preact.txt": "preact/LICENSE",
    "licences/signals.txt": "@preact/signals/LICENSE",
    "licences/signals-core.txt": "@preact/signals-core/LICENSE",
    "licences/htm.txt": "htm/LICENSE",
    "licences/uplot.txt": "uplot/LICENSE",
    "licences/uqr.txt": "uqr/LICENSE",
}
"""The copies, each with the file in npm's folder that it comes from."""


def main() -> None:
    """Replace the folder by new copies."""
    shutil.rmtree(VENDOR, ignore_errors=True)
    for name, source in COPIES.items():
        target = VENDOR / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PACKAGES / source, target)


if __name__ == "__main__":
    main()
