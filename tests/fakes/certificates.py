"""Certificates that tests make themselves."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NOW = datetime(2026, 1, 15, tzinfo=UTC)


@dataclass(frozen=True)
class Pair:
    """A certificate and its key in files."""

    certificate: Path
    key: Path

    @property
    def settings(self) -> dict[str, str]:
        """The settings of a server that uses it."""
        return {"tls_certificate": str(self.certificate), "tls_key": str(self.key)}

    def trusted(self) -> ssl.SSLContext:
        """Return the context of a client that trusts it."""
        return ssl.create_default_context(cafile=str(self.certificate))


def make_pair(
    folder: Path,
    name: str = "server",
    hosts: Sequence[str] = ("localhost",),
    begins: datetime | None = None,
    ends: datetime | None = None,
) -> Pair:
    """Write a certificate that signs itself, valid now unless the dates say otherwise."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    begins = begins or datetime.now(UTC) - timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends or begins + timedelta(days=90))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .sign(key, hashes.SHA256())
    )
    pair = Pair(folder / f"{name}.pem", folder / f"{name}.key")
    pair.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    kind = serialization.PrivateFormat.PKCS8
    pair.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, kind, plain))
    return pair
