"""Send short messages to browsers without an open page, through the services of their makers.

A browser chooses its push service, and with it the address that this server calls. So only services
that the host allows are called. A bounded number of messages waits, each in a task of its own. A
service that fails for now is tried again once. Each message is encrypted for its browser and signed
with the server's key (VAPID, RFC 8292). The log has no addresses of browsers and no texts.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import structlog

from doublecross.server.core.people.pushes import Subscription
from doublecross.server.core.storage import StoreError

if TYPE_CHECKING:
    from aiohttp import ClientSession
    from py_vapid import Vapid

MOST_WAITING: Final = 1000
"""How many messages may wait."""
AT_ONCE: Final = 8
"""How many messages are sent at the same time."""
PAUSES_S: Final = (0.0, 30.0)
"""The pauses before the tries to send a message, in seconds."""
PATIENCE_S: Final = 10.0
"""How long a push service may take, in seconds."""
LONGEST_S: Final = 2_419_200
"""How long push services keep a message at most, in seconds."""
SIGNED_S: Final = 12 * 3600
"""How long a signature holds, in seconds; services allow a day."""
GONE: Final = frozenset({404, 410})
"""The answers of a service that does not know a browser any more."""
_SERVICE: Final = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}|http://127\.0\.0\.1:[0-9]+")
_ENDPOINT: Final = re.compile(r"https://([a-z0-9.-]+)(?::443)?/[\w.~:/?&=%+,;!$*-]*", re.ASCII)

_log = structlog.get_logger("push")


def services_of(text: str) -> tuple[str, ...]:
    """Return the push services in a list with commas.

    Raises:
        ValueError: one is no name of a host.
    """
    found = tuple(each.strip().lower() for each in text.split(",") if each.strip())
    for each in found:
        if not _SERVICE.fullmatch(each):
            raise ValueError(f"{each!r} is no push service; write the name of its host")
    return found


@dataclass(frozen=True, slots=True)
class PushAccount:
    """The key that signs, the hosts of the services to call, and how they reach our host.

    `contact` is a `mailto:` or an address with https.
    """

    key: Vapid
    services: tuple[str, ...]
    contact: str


def push_account(key: Path, services: tuple[str, ...], contact: str) -> PushAccount:
    """Return the account with the key in a file.

    Raises:
        KeyFileError: it has none.
    """
    # Now, because importing them takes too long for a server that runs.
    import aiohttp  # noqa: F401
    import pywebpush  # noqa: F401

    return PushAccount(read_key(key), services, contact)


Finish: TypeAlias = Callable[[Collection[str]], Awaitable[None]]
"""Takes the endpoints that do not exist any more."""
Choose: TypeAlias = Callable[[], Awaitable[Sequence[Subscription]]]
"""Returns the browsers that get a message."""


class Pusher:
    """Send messages for one server; without an account none are sent."""

    def __init__(self, account: PushAccount | None, pauses_s: Sequence[float] = PAUSES_S) -> None:
        self._account = account
        self._pauses_s = pauses_s
        self.public_key = None if account is None else public_key(account.key)
        """The key that browsers are told, in Base64; None: nobody can be reached."""
        self.waiting: set[asyncio.Task[None]] = set()
        """The tasks of the messages that are not sent yet."""
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._session: ClientSession | None = None
        self._signed: dict[str, tuple[float, str]] = {}
        """When the signature for each service was made, and the signature."""

    def may_call(self, endpoint: str) -> bool:
        """Return whether an address belongs to a service that the host allows."""
        services = () if self._account is None else self._account.services
        found = _ENDPOINT.fullmatch(endpoint)
        if found is None:
            # Plain HTTP goes only to a service of tests on this machine.
            return endpoint.startswith(
                tuple(f"{each}/" for each in services if each.startswith("http:"))
            )
        host = found[1]
        return any(host == each or host.endswith(f".{each}") for each in services)

    def post(
        self, choose: Choose, content: Mapping[str, Any], topic: str, lasts_s: int, gone: Finish
    ) -> None:
        """Send a message in the background, unless too many wait.

        A service that has not delivered the last message with the same `topic` replaces it, and
        forgets a message after `lasts_s` seconds.
        """
        if len(self.waiting) >= MOST_WAITING:
            _log.warning("push_dropped", waiting=len(self.waiting))
            return
        data = json.dumps(content, separators=(",", ":")).encode()
        headers = {"TTL": str(min(lasts_s, LONGEST_S)), "Topic": topic}
        task = asyncio.ensure_future(self._send_all(choose, data, headers, gone))
        self.waiting.add(task)
        task.add_done_callback(self.waiting.discard)

    async def _send_all(
        self, choose: Choose, data: bytes, headers: Mapping[str, str], gone: Finish
    ) -> None:
        try:
            chosen = [each for each in await choose() if self.may_call(each.endpoint)]
            sent = await asyncio.gather(*(self._send(each, data, headers) for each in chosen))
            ended = [each.endpoint for each, known in zip(chosen, sent, strict=True) if not known]
            if ended:
                await gone(ended)
        except StoreError as failed:
            _log.warning("push_failed", error=str(failed))
        except Exception:  # noqa: BLE001 - a bug here must not be lost with its task
            _log.exception("push_failed")

    async def _send(self, browser: Subscription, data: bytes, headers: Mapping[str, str]) -> bool:
        """Send a message to one browser; return False if its service does not know it any more."""
        service = "/".join(browser.endpoint.split("/", 3)[:3])
        for pause_s in self._pauses_s:
            await asyncio.sleep(pause_s)
            try:
                async with self._turns:
                    status = await self._hand_in(browser, service, data, headers)
            except (OSError, TimeoutError, ValueError) as error:
                _log.warning("push_failed", service=service, error=type(error).__name__)
                continue
            if status in GONE:
                _log.info("push_ended", service=service, status=status)
                return False
            if status < 300:
                _log.info("push_sent", service=service)
                return True
            _log.warning("push_failed", service=service, status=status)
            if status != 429 and status < 500:
                break  # it is refused for good
        return True

    async def _hand_in(
        self, browser: Subscription, service: str, data: bytes, headers: Mapping[str, str]
    ) -> int:
        from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar
        from pywebpush import WebPusher

        keys = {"p256dh": _text(browser.public_key), "auth": _text(browser.secret)}
        body = WebPusher({"endpoint": browser.endpoint, "keys": keys}).encode(data)["body"]
        if self._session is None:
            timeout = ClientTimeout(total=PATIENCE_S)
            self._session = ClientSession(timeout=timeout, cookie_jar=DummyCookieJar())
        headers = {
            **headers,
            "Authorization": self._signature(service),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
        }
        # Not `WebPusher.send_async`: it follows redirects, and reads answers of any length.
        post = self._session.post
        try:
            async with post(
                browser.endpoint, data=body, headers=headers, allow_redirects=False
            ) as answer:
                return answer.status
        except ClientError as error:
            raise OSError(type(error).__name__) from error

    def _signature(self, service: str) -> str:
        made_s, text = self._signed.get(service, (0.0, ""))
        now_s = time.time()
        # A new one at half its time, so that it holds for a while wherever clocks differ.
        if not made_s <= now_s < made_s + SIGNED_S / 2:
            assert self._account is not None
            claims = {"aud": service, "exp": int(now_s) + SIGNED_S, "sub": self._account.contact}
            text = self._account.key.sign(claims)["Authorization"]
            if len(self._signed) >= MOST_WAITING:
                self._signed.clear()
            self._signed[service] = now_s, text
        return text

    async def close(self) -> None:
        """Give up the messages that still wait."""
        for task in self.waiting:
            task.cancel()
        await asyncio.gather(*self.waiting, return_exceptions=True)
        if self._session is not None:
            await self._session.close()


def new_key() -> str:
    """Return a new private key as text (PEM)."""
    from py_vapid import Vapid

    vapid = Vapid()
    vapid.generate_keys()
    text: bytes = vapid.private_pem()
    return text.decode()


def read_key(path: Path) -> Vapid:
    """Return the key in a file.

    Raises:
        KeyFileError: there is none, or others can read it.
    """
    # Most servers push nothing, and need neither.
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from py_vapid import Vapid

    from doublecross.server.signing.keys import KeyFileError, read_private

    command = f"doublecross keys push {path}"
    content = read_private(path.expanduser(), command)
    try:
        key = load_pem_private_key(content, None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, EllipticCurvePrivateKey) or not isinstance(key.curve, SECP256R1):
        raise KeyFileError(f"{path} has no key for pushes; make one with {command}.")
    # Otherwise the library refuses contacts with a path or a port.
    return Vapid(key, conf={"no-strict": True})


def public_key(vapid: Vapid) -> str:
    """Return the public key of a private one, in the Base64 of web addresses."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    raw = vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return _text(raw)


def _text(raw: bytes) -> str:
    """Return bytes in the Base64 of web addresses, without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
