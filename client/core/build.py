"""The type of functions that make a request once its id is chosen."""

from __future__ import annotations

from collections.abc import Callable

from doublecross.protocol.client_messages import Request

Build = Callable[[int], Request]
"""A function that returns a request with the given id."""
