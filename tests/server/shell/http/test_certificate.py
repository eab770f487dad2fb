"""Certificates and keys that fit, that do not, and that expire."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)
from structlog.testing import capture_logs

from doublecross.server.shell.http.certificate import Certificate, Tls, TlsError
from tests.fakes.certificates import NOW, make_pair


def refusal(certificate: Path, key: Path) -> tuple[str, str]:
    with pytest.raises(TlsError) as caught:
        Certificate.load(certificate, key)
    return caught.value.setting, str(caught.value)


def test_a_certificate_says_which_hosts_it_is_for(tmp_path: Path) -> None:
    pair = make_pair(tmp_path, hosts=("games.example.org", "*.example.org", "example.org"))
    loaded = Certificate.load(pair.certificate, pair.key)
    assert loaded.names == ("games.example.org", "example.org")
    assert loaded.ends - loaded.begins == timedelta(days=90)


def test_each_wrong_file_is_named_with_its_setting(tmp_path: Path) -> None:
    pair, other = make_pair(tmp_path), make_pair(tmp_path, "other")
    nothing, gone = tmp_path / "nothing.pem", tmp_path / "gone.pem"
    nothing.write_text("Here is no certificate.")
    setting, text = refusal(gone, pair.key)
    assert setting == "tls_certificate"
    assert text.startswith(f"There is no file {gone}, which tls_certificate names;")
    assert refusal(pair.certificate, gone)[0] == "tls_key"
    assert "is a folder" in refusal(pair.certificate, tmp_path)[1]
    assert "has no certificate that can be read" in refusal(nothing, pair.key)[1]
    setting, text = refusal(pair.certificate, nothing)
    assert (setting, "has no private key that can be read" in text) == ("tls_key", True)
    setting, text = refusal(pair.certificate, other.key)
    assert setting == "tls_key"
    assert f"does not belong to the certificate {pair.certificate}" in text
    assert "has no certificate" in refusal(pair.key, pair.key)[1]
    locked = tmp_path / "locked.key"
    key = ec.generate_private_key(ec.SECP256R1())
    locked.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x"))
    )
    assert "has a password" in refusal(pair.certificate, locked)[1]
    if os.geteuid():  # root reads everything
        locked.chmod(0)
        assert "cannot be read" in refusal(pair.certificate, locked)[1]


def test_a_host_is_warned_before_and_after_a_certificate_expires(tmp_path: Path) -> None:
    pair = make_pair(tmp_path, begins=NOW, ends=NOW + timedelta(days=30))
    loaded = Certificate.load(pair.certificate, pair.key)
    assert loaded.warning(NOW) is None
    assert loaded.warning(NOW + timedelta(days=22)) is None
    warned = loaded.warning(NOW + timedelta(days=24))
    assert warned is not None
    assert "expires on 2026-02-14 00:00 UTC" in warned
    expired = loaded.warning(NOW + timedelta(days=30))
    assert expired is not None
    assert "expired on 2026-02-14" in expired
    early = loaded.warning(NOW - timedelta(days=1))
    assert early is not None
    assert "valid only from 2026-01-15" in early


def test_a_broken_new_pair_leaves_the_old_one_in_use(tmp_path: Path) -> None:
    pair, new = make_pair(tmp_path), make_pair(tmp_path, "new", hosts=("new.example",))
    tls = Tls(pair.certificate, pair.key)
    first = tls.context
    pair.certificate.write_bytes(new.certificate.read_bytes())
    with capture_logs() as lines:
        assert not tls.reload()
    assert tls.context is first
    (line,) = lines
    assert (line["event"], line["log_level"]) == ("tls_not_reloaded", "error")
    assert "does not belong to the certificate" in line["why"]
    pair.key.write_bytes(new.key.read_bytes())
    assert tls.reload()
    assert tls.certificate.names == ("new.example",)
    assert tls.context is not first


def test_an_expired_certificate_is_used_but_warned_of(tmp_path: Path) -> None:
    pair = make_pair(tmp_path, begins=NOW, ends=NOW + timedelta(days=1))
    with capture_logs() as lines:
        Tls(pair.certificate, pair.key, lambda: NOW + timedelta(days=2))
    assert [line["log_level"] for line in lines] == ["warning"]
    assert "expired on 2026-01-16" in lines[0]["what"]
