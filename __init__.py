"""Doublecross: a server for two-player board games, with clients for people and bots.

Authors of bots import what they need from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from doublecross.bots.api import Bot, Choice, Limit, Option

__all__ = ["Bot", "Choice", "Limit", "Option"]


def __getattr__(name: str) -> Any:
    # Games and clients do without the bots, so these are imported when somebody asks for them.
    if name == "__version__":
        from importlib.metadata import version

        return version("doublecross")
    if name in __all__:
        from doublecross.bots import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
