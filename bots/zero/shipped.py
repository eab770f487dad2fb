"""Find the networks that come with this package, without importing what plays with them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_NETS: Final = Path(__file__).parent / "nets"


def shipped(game: str) -> Path:
    """Return the path of the network for `game` that comes with this package, if there is one."""
    return _NETS / f"{game}.onnx"
