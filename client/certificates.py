"""Say in one sentence why an encrypted connection to a server cannot be made."""

from __future__ import annotations

import ssl
from typing import Final

from doublecross.games.api.sentence import Sentence

_EXPIRED: Final = 10
_NOT_YET_VALID: Final = 9
_OTHER_NAME: Final = (62, 64)
"""The codes of OpenSSL (x509_vfy.h): for a host name, and for an IP address."""
_NO_TLS: Final = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE")
"""The reasons of errors when the other side does not encrypt."""


def why_insecure(error: Exception, url: str) -> str | None:
    """Return the sentence about an error of TLS at `url`; None for all other errors."""
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code == _EXPIRED:
            return Sentence("The certificate of {url} has expired; ask its host to renew it.", url)
        if error.verify_code == _NOT_YET_VALID:
            return Sentence(
                "The certificate of {url} is not valid yet; check the date and the clock of"
                " this computer.",
                url,
            )
        if error.verify_code in _OTHER_NAME:
            return Sentence(
                "The certificate of {url} is for another name; use the address that its"
                " host gives to others.",
                url,
            )
        return Sentence(
            "This computer does not trust the certificate of {url}; if you do, ask its"
            " host for the certificate and name the file in the variable SSL_CERT_FILE.",
            url,
        )
    if isinstance(error, ssl.SSLError) and error.reason in _NO_TLS:
        return Sentence(
            "What answers at {url} is not encrypted; put http:// or ws:// before the address.", url
        )
    ended = isinstance(error, (ConnectionResetError, ConnectionAbortedError, ssl.SSLEOFError))
    if ended and url.startswith(("wss:", "https:")):
        return Sentence(
            "{url} ended the connection before it was encrypted; if the server does not"
            " encrypt, put http:// or ws:// before its address.",
            url,
        )
    return None
