"""HTTP clients for servers on this machine."""

from __future__ import annotations

from typing import Any

import httpx


def plain_client(base_url: str = "", **options: Any) -> httpx.AsyncClient:
    """Return a client that uses no proxy, and loads no certificates, which takes 20 ms."""
    return httpx.AsyncClient(base_url=base_url, trust_env=False, verify=False, **options)
