"""Check that the packages for training are installed."""

from __future__ import annotations

import importlib.util
from typing import Final

from doublecross.cli.shared.console import Problem
from doublecross.processes.installation import how_to_add

_PACKAGES: Final = ("numba", "onnxruntime", "onnx", "torch")


def need_training() -> None:
    """Refuse to go on if the packages for training are not installed."""
    missing = [name for name in _PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise Problem(
            f"Training needs packages that are not installed ({', '.join(missing)}):"
            f" {how_to_add('engines', 'train', 'reports')}"
        )
