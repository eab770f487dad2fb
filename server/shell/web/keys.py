"""The key with which the server signs records, and the address that publishes its public keys.

Most servers sign nothing. They never import the library for it, which takes 30 ms.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.server.shell.listening import StartError
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import Endpoint

if TYPE_CHECKING:
    from doublecross.server.signing.records import RecordSigner


def signer_of(path: Path | None) -> RecordSigner | None:
    """Return the signer of records with the keys in this file; None without a file.

    Raises:
        StartError: the file has no keys, or cannot be used.
    """
    if path is None:
        return None
    from doublecross.server.signing.keys import KeyFileError, read_keys
    from doublecross.server.signing.records import RecordSigner

    try:
        return RecordSigner(read_keys(path.expanduser()))
    except KeyFileError as error:
        raise StartError(str(error)) from None


def keys_endpoint(signer: RecordSigner | None) -> Endpoint:
    """Return the endpoint that publishes the public keys of `signer`."""
    published = [] if signer is None else [each.as_json() for each in signer.keys.public]

    async def keys(_: Request) -> Response:
        return JSONResponse({"keys": published})

    return Endpoint(
        "/api/keys",
        keys,
        "The public keys with which the server signs records, newest first; see "
        "`doublecross export --verify`.",
        answers.Keys,
    )
