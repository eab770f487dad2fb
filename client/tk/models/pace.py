"""Name the speeds at which moves are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from doublecross.client.language import tr

PACES: Final[Mapping[float | None, str]] = {
    0.5: tr("0.5 s a move"),
    1.0: tr("1 s a move"),
    2.0: tr("2 s a move"),
}
"""The speeds to choose from, in seconds a move, and their names."""
SHORT: Final[Mapping[float | None, str]] = {0.5: tr("0.5 s"), 1.0: tr("1 s"), 2.0: tr("2 s")}
"""Their names on the button of the menu."""
