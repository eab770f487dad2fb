"""The keys with which a server signs records: one private key, and all public keys so far.

They are in one file of JSON, which only its owner can read. When the key is replaced, the private
key is forgotten. Its public key stays in the list with the times of its use, so that records of
that time can still be checked.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FORMAT: Final = 1
KEY_BYTES: Final = 32
"""The length of private and public keys."""


class KeyFileError(Exception):
    """Raised when a file of keys cannot be used. The message is one sentence for the host."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key: its 32 bytes, and when it was in use, in milliseconds since 1970, UTC.

    `until_ms` is None while it is in use.
    """

    raw: bytes
    since_ms: int
    until_ms: int | None = None

    @property
    def id(self) -> str:
        """The name of the key in records: 16 hexadecimal digits."""
        return hashlib.sha256(self.raw).hexdigest()[:16]

    @property
    def text(self) -> str:
        """The key in Base64."""
        return base64.b64encode(self.raw).decode()

    def as_json(self) -> dict[str, Any]:
        """Return the key as in files and answers."""
        times = {"since_ms": self.since_ms, "until_ms": self.until_ms}
        return {"id": self.id, "public": self.text, **times}


@dataclass(frozen=True, slots=True)
class SigningKeys:
    """The private key of a server, and its public keys, newest first."""

    private: bytes
    public: tuple[PublicKey, ...]

    @property
    def current(self) -> PublicKey:
        """The public key in use."""
        return self.public[0]


def new_keys(now_ms: int) -> SigningKeys:
    """Return a new private key, in use since `now_ms`."""
    private, public = _new_pair()
    return SigningKeys(private, (PublicKey(public, now_ms),))


def rotated(keys: SigningKeys, now_ms: int) -> SigningKeys:
    """Return a new private key in place of an old one, whose public key stays listed."""
    private, public = _new_pair()
    ended = replace(keys.current, until_ms=now_ms)
    return SigningKeys(private, (PublicKey(public, now_ms), ended, *keys.public[1:]))


def _new_pair() -> tuple[bytes, bytes]:
    made = Ed25519PrivateKey.generate()
    return made.private_bytes_raw(), made.public_key().public_bytes_raw()


def read_keys(path: Path) -> SigningKeys:
    """Return the keys in a file.

    Raises:
        KeyFileError: there is no such file, others can read it, or it has no keys.
    """
    unknown = KeyFileError(f"{path} is no file of keys; make one with doublecross keys new.")
    content = read_private(path, "doublecross keys new")
    try:
        found = json.loads(content)
        if found["format"] != FORMAT:
            raise KeyFileError(f"{path} was made by a newer version of Doublecross.")
        keys = SigningKeys(_decoded(found["private"]), public_keys(found))
        private = Ed25519PrivateKey.from_private_bytes(keys.private)
    except (ValueError, LookupError, TypeError):
        raise unknown from None
    if not keys.public or private.public_key().public_bytes_raw() != keys.current.raw:
        raise unknown
    return keys


def read_private(path: Path, made_by: str) -> bytes:
    """Return the content of a file with a private key, which the command `made_by` makes.

    Raises:
        KeyFileError: there is no such file, or others can read it.
    """
    try:
        if os.name == "posix" and path.stat().st_mode & stat.S_IRWXO:
            raise KeyFileError(f"Everybody can read the private key {path}; run: chmod 600 {path}")
        return path.read_bytes()
    except FileNotFoundError:
        raise KeyFileError(f"There is no file of keys {path}; make one with {made_by}.") from None
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror}.") from None


def public_keys(found: Mapping[str, Any]) -> tuple[PublicKey, ...]:
    """Return the public keys in JSON: a file of keys, or what a server publishes.

    Raises:
        ValueError, LookupError, TypeError: it has no keys, or malformed ones.
    """
    return tuple(
        PublicKey(_decoded(each["public"]), each["since_ms"], each["until_ms"])
        for each in found["keys"]
    )


def public_key(text: str) -> PublicKey:
    """Return the public key in Base64, with unknown times of use.

    Raises:
        ValueError: the text is no public key.
    """
    return PublicKey(_decoded(text.strip()), 0)


def _decoded(text: str) -> bytes:
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
    if len(raw) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(raw)}")
    return raw


def write_keys(path: Path, keys: SigningKeys, *, replace_file: bool) -> None:
    """Write a file of keys that only its owner can read.

    Raises:
        FileExistsError: there is one, and `replace_file` is false.
        OSError: it cannot be written. Then an older file is unchanged.
    """
    content = {
        "format": FORMAT,
        "private": base64.b64encode(keys.private).decode(),
        "keys": [each.as_json() for each in keys.public],
    }
    write_private(path, json.dumps(content, indent=1) + "\n", replace_file=replace_file)


def write_private(path: Path, text: str, *, replace_file: bool) -> None:
    """Write a file that only its owner can read; for the errors see `write_keys`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if replace_file:
            Path(temporary).replace(path)
        else:
            # Unlike a renaming, this never replaces a key that somebody has made meanwhile.
            os.link(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)
