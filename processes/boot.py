"""Set up a child process, then run the function `main` of the module that its parent named.

`doublecross.processes.command` starts this file as a script. Until the module path is set, the file
may import built-in modules and the standard library only.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

PACKAGE = "doublecross"


def main(order: dict[str, Any]) -> None:
    """Run the module of `order`, which `doublecross.processes.command.command` has written."""
    sys.path[:] = order["path"]
    if PACKAGE not in sys.modules:
        load(Path(order["root"]))
    from doublecross.processes.system import begin

    begin(order["parent"], expendable=order["expendable"], memory_mb=order["memory_mb"])
    sys.argv[:] = ["doublecross", *order["arguments"]]
    # Nearly nothing that imports make is garbage, and to look for it takes a tenth of them.
    gc.disable()
    module = importlib.import_module(order["module"])
    gc.enable()
    sys.exit(module.main())


def load(folder: Path) -> None:
    """Load our package from the folder where the parent found it.

    Later imports find it loaded, so no folder of the same name on the path can replace it. The
    folder of a checkout has any name, so the path alone would not do.
    """
    init = folder / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        PACKAGE, init, submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
