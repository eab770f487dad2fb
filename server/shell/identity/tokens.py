"""The secret tokens by which players log in."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping


def token_hash(token: str) -> bytes:
    """Return the hash that is stored in place of a token.

    A plain SHA-256 is enough, because a token has 192 random bits and cannot be guessed.
    """
    return hashlib.sha256(token.encode()).digest()


def new_token(name: str, key: str | None) -> str:
    """Return the token of a new player.

    Without a key it is random. With the client's key it follows from key and name alone, so a hello
    that is sent again after a lost welcome gets the same token.
    """
    if key is None:
        return secrets.token_urlsafe(24)
    digest = hmac.digest(key.encode(), b"doublecross player " + name.casefold().encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:24]).decode()


def new_secret() -> str:
    """Return a new session or API token. Its start tells programs that search for lost secrets."""
    return f"dcx_{secrets.token_urlsafe(32)}"


def new_id() -> str:
    """Return a random id for an account, a token or a ban: 20 hexadecimal digits."""
    return secrets.token_hex(10)


def bearer(headers: Mapping[str, str]) -> str:
    """Return the token in the header `Authorization` of a request; empty if there is none."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""
