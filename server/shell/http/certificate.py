"""Load the certificate of the server and its key, and say in one sentence what is wrong with them.

Each load makes a new `ssl.SSLContext`. Loading new files into the context that is in use would
leave a new certificate with an old key there if the new key does not fit.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import structlog

if TYPE_CHECKING:
    from cryptography import x509

_log = structlog.get_logger("tls")

Setting = Literal["tls_certificate", "tls_key"]

MOST_BYTES: Final = 1_000_000
"""A longer file is no certificate."""
SOON: Final = timedelta(days=7)
"""The server warns so long before the end of a certificate; renewals usually come earlier."""
_WANTED: Final[dict[Setting, str]] = {
    "tls_certificate": "the file of the certificate",
    "tls_key": "the file of its private key",
}


class TlsError(Exception):
    """A certificate or its key cannot be used. The message is one sentence for the host.

    `setting` names the file that is wrong.
    """

    def __init__(self, setting: Setting, sentence: str) -> None:
        super().__init__(sentence)
        self.setting = setting


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its key, ready for handshakes."""

    path: Path
    context: ssl.SSLContext
    names: tuple[str, ...]
    """The host names that it is for, without those for many hosts such as ``*.example.org``."""
    begins: datetime
    ends: datetime

    @classmethod
    def load(cls, certificate: Path, key: Path) -> Certificate:
        """Read both files; the first certificate is the server's, the others lead to its issuer.

        Raises:
            TlsError: they cannot be used.
        """
        # Only servers with a certificate need it.
        from cryptography import x509

        pem, key_pem = _read("tls_certificate", certificate), _read("tls_key", key)
        try:
            first = x509.load_pem_x509_certificates(pem)[0]
            names = _names(first)
        except ValueError:
            raise TlsError(
                "tls_certificate",
                f"{certificate}, which tls_certificate names, has no certificate that can be read;"
                " it must be in PEM, with the line -----BEGIN CERTIFICATE-----.",
            ) from None
        if b"ENCRYPTED" in key_pem:
            raise TlsError(
                "tls_key",
                f"The key {key}, which tls_key names, has a password, and nobody is there to type"
                f" it; write it without one: openssl pkey -in {key} -out NEW_FILE.",
            )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
        # Nothing here speaks HTTP/2.
        context.set_alpn_protocols(["http/1.1"])
        try:
            # Without a password OpenSSL would ask for one in the terminal.
            context.load_cert_chain(certificate, key, password="")
        except ssl.SSLError as error:
            if error.reason == "KEY_VALUES_MISMATCH":
                sentence = (
                    f"The key {key}, which tls_key names, does not belong to the certificate"
                    f" {certificate}; name the key with which it was requested."
                )
            elif error.reason in _WEAK:
                raise TlsError(
                    "tls_certificate",
                    f"The certificate {certificate}, which tls_certificate names, is too weak"
                    f" ({error.reason}); request one with a longer key.",
                ) from None
            else:
                sentence = (
                    f"{key}, which tls_key names, has no private key that can be read; it must be"
                    " in PEM, with a line such as -----BEGIN PRIVATE KEY-----."
                )
            raise TlsError("tls_key", sentence) from None
        return cls(
            certificate, context, names, first.not_valid_before_utc, first.not_valid_after_utc
        )

    def warning(self, now: datetime) -> str | None:
        """Return a sentence when browsers refuse the certificate now or soon, else None."""
        what = f"The certificate {self.path}, which tls_certificate names,"
        if now < self.begins:
            return f"{what} is valid only from {self.begins:%Y-%m-%d %H:%M} UTC; check the clock."
        if now >= self.ends:
            return (
                f"{what} expired on {self.ends:%Y-%m-%d}, and browsers and programs refuse it;"
                " put a new one there and send the server SIGHUP."
            )
        if now >= self.ends - SOON:
            return (
                f"{what} expires on {self.ends:%Y-%m-%d %H:%M} UTC; put a new one there and send"
                " the server SIGHUP."
            )
        return None


class Tls:
    """The certificate that new connections get, and how to load it again.

    `now` returns the time, with a time zone.

    Raises:
        TlsError: the files cannot be used.
    """

    def __init__(
        self,
        certificate: Path,
        key: Path,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._files = certificate, key
        self._now = now
        self.certificate = Certificate.load(certificate, key)
        self.warn()

    @property
    def context(self) -> ssl.SSLContext:
        """The TLS context for the next handshake."""
        return self.certificate.context

    def reload(self) -> bool:
        """Load the files again for new connections; keep the former ones if they are wrong.

        Return whether the new ones are in use.
        """
        try:
            self.certificate = Certificate.load(*self._files)
        except TlsError as error:
            _log.error(
                "tls_not_reloaded", why=str(error), what="The former certificate stays in use."
            )
            return False
        _log.info("tls_reloaded", ends=f"{self.certificate.ends:%Y-%m-%d %H:%M}")
        self.warn()
        return True

    def warn(self) -> None:
        """Write a warning to the log when browsers refuse the certificate now or soon."""
        sentence = self.certificate.warning(self._now())
        if sentence is not None:
            _log.warning("tls_certificate", what=sentence)


_WEAK: Final = ("EE_KEY_TOO_SMALL", "CA_KEY_TOO_SMALL", "CA_MD_TOO_WEAK")
"""The reasons for which OpenSSL refuses certificates that others could forge."""


def _read(setting: Setting, path: Path) -> bytes:
    if path.is_dir():
        raise TlsError(
            setting, f"{path}, which {setting} names, is a folder; name {_WANTED[setting]}."
        )
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES)
    except FileNotFoundError:
        raise TlsError(
            setting, f"There is no file {path}, which {setting} names; name {_WANTED[setting]}."
        ) from None
    except OSError as error:
        raise TlsError(
            setting,
            f"{path}, which {setting} names, cannot be read ({error.strerror}); let the user of"
            " the server read it.",
        ) from None


def _names(certificate: x509.Certificate) -> tuple[str, ...]:
    from cryptography import x509

    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return ()
    names = found.value.get_values_for_type(x509.DNSName)
    return tuple(name for name in names if not name.startswith("*"))
