from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from doublecross.server.cluster.links.access import Access
from tests.cluster.links.test_access import reason, works
from tests.services.binaries import NEED
from tests.services.nats import Nats

NOW = 1_700_000_000


def token(signer: Any, subject: Any, claims: Mapping[str, Any]) -> str:
    """Return a JWT as NATS wants it, about `subject`."""

    def part(data: bytes) -> bytes:
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    body = {
        "jti": "test",
        "iat": NOW,
        "name": "test",
        "iss": signer.public_key.decode(),
        "sub": subject.public_key.decode(),
        "nats": {"version": 2, **claims},
    }
    head = json.dumps({"typ": "JWT", "alg": "ed25519-nkey"}).encode()
    signed = part(head) + b"." + part(json.dumps(body).encode())
    return (signed + b"." + part(signer.sign(signed))).decode()


def write(path: Path, jwt: str, seed: str) -> Path:
    path.write_text(
        f"-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n",
        encoding="utf-8",
    )
    return path


async def test_a_file_of_credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.environ.get(NEED) is None:
        pytest.importorskip("nkeys", reason="nkeys is not installed; the extra cluster has it")
    import nkeys

    def pair(prefix: int) -> Any:
        return nkeys.from_seed(nkeys.encode_seed(os.urandom(32), prefix))

    operator = pair(nkeys.PREFIX_BYTE_OPERATOR)
    account, stranger = (pair(nkeys.PREFIX_BYTE_ACCOUNT) for _ in range(2))
    user = pair(nkeys.PREFIX_BYTE_USER)
    names = ("subs", "data", "payload", "imports", "exports", "conn", "leaf")
    limits = {**dict.fromkeys(names, -1), "wildcards": True}
    of_account = token(operator, account, {"type": "account", "limits": limits})
    configuration = tmp_path / "nats.conf"
    configuration.write_text(
        f"operator: {token(operator, operator, {'type': 'operator'})}\nresolver: MEMORY\n"
        f"resolver_preload: {{ {account.public_key.decode()}: {of_account} }}\n",
        encoding="utf-8",
    )
    rights = {"type": "user", "subs": -1, "data": -1, "payload": -1}
    seed = user.seed.decode()
    right = write(tmp_path / "right", token(account, user, rights), seed)
    wrong = write(tmp_path / "wrong", token(stranger, user, rights), seed)
    broken = write(tmp_path / "broken", token(account, user, rights), "nothing")
    with closing(Nats(tmp_path, ("--config", str(configuration))).start()) as server:
        await works(Access((server.url,), credentials=right))
        refused = await reason(Access((server.url,), credentials=wrong))
        assert "refuses the login" in refused
        assert "cannot be used" in await reason(Access((server.url,), credentials=broken))
        monkeypatch.setitem(sys.modules, "nkeys", None)
        assert "needs the package nkeys" in await reason(Access((server.url,), credentials=right))


async def test_files_that_have_no_credentials(tmp_path: Path) -> None:
    access = Access(("nats://127.0.0.1:1",), credentials=tmp_path / "file")
    assert "cannot be read (No such file" in await reason(access)
    (tmp_path / "file").write_text("nothing", encoding="utf-8")
    assert "has no NATS credentials" in await reason(access)
