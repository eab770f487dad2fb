"""A browser with one passkey, which it makes and signs with as WebAuthn says."""

from __future__ import annotations

import json
from hashlib import sha256
from secrets import token_bytes
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import bytes_to_base64url as text_of

VERIFIED = 0x05
"""The flags of a person who is present and has been verified."""


class Authenticator:
    """A browser on the page at `origin`; `flags` say whether it has looked who is there."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = token_bytes(16)
        self.flags = VERIFIED
        self.count = 0
        self._key = ec.generate_private_key(ec.SECP256R1())

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answer `navigator.credentials.create`."""
        point = self._key.public_key().public_numbers()
        parts = [number.to_bytes(32, "big") for number in (point.x, point.y)]
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: parts[0], -3: parts[1]})
        made = self._data(options["rp"]["id"], 0x40)
        made += bytes(16) + len(self.id).to_bytes(2, "big") + self.id + key
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": made})
        said = self._said("webauthn.create", options)
        return self._answer(attestationObject=attestation, clientDataJSON=said)

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answer `navigator.credentials.get`."""
        self.count += 1
        made, said = self._data(options["rpId"]), self._said("webauthn.get", options)
        signature = self._key.sign(made + sha256(said).digest(), ec.ECDSA(SHA256()))
        return self._answer(authenticatorData=made, clientDataJSON=said, signature=signature)

    def _data(self, site: str, more: int = 0) -> bytes:
        flags = bytes([self.flags | more])
        return sha256(site.encode()).digest() + flags + self.count.to_bytes(4, "big")

    def _said(self, kind: str, options: dict[str, Any]) -> bytes:
        return json.dumps(
            {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        ).encode()

    def _answer(self, **response: bytes) -> dict[str, Any]:
        name = text_of(self.id)
        parts = {key: text_of(value) for key, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": parts}
