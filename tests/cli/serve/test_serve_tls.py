"""The command `serve` with a certificate: its own bots, SIGHUP, and wrong files."""

from __future__ import annotations

import asyncio
import json
import signal
import ssl
from datetime import timedelta
from pathlib import Path

import pytest

from doublecross.cli.main import main
from tests.bots.running import until
from tests.cli.serve.hosting import bots_here, hosting, visitor
from tests.fakes.certificates import NOW, make_pair


async def test_a_server_with_tls_has_its_bots_and_loads_a_new_certificate_on_sighup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pair, new = make_pair(tmp_path), make_pair(tmp_path, "new")
    files = ("--tls-certificate", str(pair.certificate), "--tls-key", str(pair.key))
    monkeypatch.setenv("SSL_CERT_FILE", str(pair.certificate))
    with hosting(tmp_path, "greedy", *files) as command:
        first = json.loads(command.line())
        assert first["share"] == [first["http"]]
        assert first["http"].startswith("https://localhost:")
        assert json.loads(command.line())["what"] == "bot_ready"
        async with visitor(first["ws"]) as client:
            assert await bots_here(client) == {"greedy"}
            port = int(first["ws"].rpartition(":")[2])
            before = ssl.get_server_certificate(("localhost", port), timeout=10)
            pair.key.write_bytes(new.key.read_bytes())
            pair.certificate.write_bytes(new.certificate.read_bytes())
            command.send(signal.SIGHUP)

            def is_new() -> bool:
                return ssl.get_server_certificate(("localhost", port), timeout=10) != before

            await until(is_new)
            assert await bots_here(client) == {"greedy"}
        # Over HTTP, too, commands say what is wrong with a certificate.
        monkeypatch.delenv("SSL_CERT_FILE")
        sentence = f"does not trust the certificate of {first['http']};"
        assert await asyncio.to_thread(main, ["export", "--server", first["http"]]) == 2
        assert sentence in " ".join(capsys.readouterr().err.split())
        command.send(signal.SIGTERM)
        assert await asyncio.to_thread(command.wait) == 0


def test_a_server_without_tls_survives_sighup_as_a_service(tmp_path: Path) -> None:
    with hosting(tmp_path, "") as command:
        assert json.loads(command.line())["what"] == "ready"
        command.send(signal.SIGHUP)
        command.send(signal.SIGTERM)
        assert command.wait() == 0


def test_a_check_names_what_is_wrong_with_a_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOUBLECROSS_PAGE_RELOAD", "true")
    make_pair(tmp_path, begins=NOW - timedelta(days=99), ends=NOW)
    make_pair(tmp_path, "other")

    def check(text: str, *flags: str) -> str:
        Path("serve.toml").write_text(text)
        assert main(["serve", "--check", "--settings", "serve.toml", *flags]) == 2
        return capsys.readouterr().err

    certificate, key = 'tls_certificate = "server.pem"\n', 'tls_key = "server.key"\n'
    assert check(certificate) == (
        "Error: tls_key is wrong: tls_certificate and tls_key need each other; name the files of"
        " both, or of none.\n"
    )
    assert check(key) == (
        "Error: serve.toml line 1: tls_key is wrong: tls_certificate and tls_key need each other;"
        " name the files of both, or of none.\n"
    )
    assert check(certificate + 'tls_key = "other.key"\n') == (
        "Error: serve.toml line 2: The key other.key, which tls_key names, does not belong to the"
        " certificate server.pem; name the key with which it was requested.\n"
    )
    assert check(key, "--tls-certificate", "gone.pem") == (
        "Error: --tls-certificate: There is no file gone.pem, which tls_certificate names; name"
        " the file of the certificate.\n"
    )
    assert check('allowed_origins = ["https://a.example/x"]\n').startswith(
        "Error: serve.toml line 1: allowed_origins is wrong: 'https://a.example/x' is no origin;"
    )
    Path("serve.toml").write_text(certificate + key)
    assert main(["serve", "--check", "--settings", "serve.toml"]) == 0
    warning = capsys.readouterr().err
    assert "serve.toml line 1: The certificate server.pem" in warning
    assert "expired on 2026-01-15" in warning
    # The start of a server says the same.
    assert main(["serve", "--tls-certificate", "gone.pem", "--tls-key", "server.key"]) == 2
    assert "There is no file gone.pem" in capsys.readouterr().err
