"""Sign records, and check their signatures."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from enum import Enum
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from doublecross.games.signatures import read_signature, with_signature
from doublecross.server.signing.keys import SigningKeys

_PURPOSE: Final = "doublecross record 1"
"""The purpose of the signature. It keeps signatures for other purposes from passing as this one."""


class Verdict(Enum):
    """The result of the check of a record's signature."""

    VALID = "valid"
    CHANGED = "changed"
    UNKNOWN_KEY = "unknown key"
    UNSIGNED = "unsigned"


class RecordSigner:
    """Sign records with the private key of a server."""

    def __init__(self, keys: SigningKeys) -> None:
        self.keys = keys
        self._private = Ed25519PrivateKey.from_private_bytes(keys.private)

    def sign(self, text: str) -> str:
        """Return one record with a signature, in place of an older one."""
        key = self.keys.current.id
        signature = self._private.sign(_message(read_signature(text).canonical, key))
        return with_signature(text, key, base64.b64encode(signature).decode())


def check_signature(text: str, known: Mapping[str, bytes]) -> tuple[Verdict, str]:
    """Return the verdict on the signature of a record, and the id of the key that it names.

    `known` are public keys by id.
    """
    signed = read_signature(text)
    if not signed.signed_by and not signed.signatures:
        return Verdict.UNSIGNED, ""
    if len(signed.signed_by) != 1 or len(signed.signatures) != 1:
        return Verdict.CHANGED, ""
    key = signed.signed_by[0]
    if key not in known:
        return Verdict.UNKNOWN_KEY, key
    try:
        signature = base64.b64decode(signed.signatures[0], validate=True)
        public = Ed25519PublicKey.from_public_bytes(known[key])
        public.verify(signature, _message(signed.canonical, key))
    except (InvalidSignature, binascii.Error):
        return Verdict.CHANGED, key
    return Verdict.VALID, key


def _message(canonical: str, key: str) -> bytes:
    return f"{_PURPOSE}\n{key}\n{canonical}".encode()
