"""Set up a child process, then run the function `main` of the module that its parent named.

`processes.command` starts this file as a script. Until the module path is set, the file may import
built-in modules and the standard library only.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any


def main(order: dict[str, Any]) -> None:
    """Run the module of `order`, which `processes.command.command` has written."""
    root = order["root"]
    # Import our packages first, from the folder where the parent found them. Later imports find
    # them loaded, so no folder of the same name on the rest of the path can replace one.
    sys.path[:] = [root, *order["path"]]
    from processes.system import begin

    begin(order["parent"], expendable=order["expendable"], memory_mb=order["memory_mb"])
    for package in order["packages"]:
        importlib.import_module(package)
    # Our packages are loaded. Other modules in their folder must not come before the path.
    del sys.path[0]
    sys.argv[:] = ["doublecross", *order["arguments"]]
    sys.exit(importlib.import_module(order["module"]).main())


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
