"""Requests that are made before their id is known."""

from __future__ import annotations

from collections.abc import Callable

from protocol.client_messages import Request

Build = Callable[[int], Request]
"""Makes a request under the id that it is given."""
