"""A real SMTP server on this machine that keeps what it gets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session


class Post:
    """The server: its port, what it has got, and the answers to the next mails."""

    def __init__(self) -> None:
        self.port = 0
        self.answers: list[str] = []
        self.passwords: list[bytes] = []
        self._mails: asyncio.Queue[EmailMessage] = asyncio.Queue()

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:
        answer = self.answers.pop(0) if self.answers else "250 taken"
        if answer.startswith("250"):
            assert isinstance(envelope.content, bytes)
            mail = message_from_bytes(envelope.content, policy=policy.default)
            assert isinstance(mail, EmailMessage)
            await self._mails.put(mail)
        return answer

    def login(self, *given: Any) -> AuthResult:
        self.passwords.append(given[-1].password)
        return AuthResult(success=True)

    async def mail(self) -> EmailMessage:
        """Return the next mail."""
        async with asyncio.timeout(10):
            return await self._mails.get()

    async def link(self, to: str, what: str) -> str:
        """Return the secret of the link in the next mail, which is for this address."""
        mail = await self.mail()
        assert mail["To"] == to
        (line,) = (each for each in mail.get_content().splitlines() if f"#{what}=" in each)
        address, _, secret = line.partition(f"/account#{what}=")
        assert address == "https://games.example.org"
        return secret

    def nothing(self) -> bool:
        return self._mails.empty()

    @property
    def settings(self) -> dict[str, object]:
        """The settings of a server that hands its mails in here."""
        return {
            "public_http": "https://games.example.org/",
            "smtp_host": "127.0.0.1",
            "smtp_port": self.port,
            "smtp_security": "none",
            "smtp_sender": "games@example.org",
        }


@asynccontextmanager
async def post_office() -> AsyncIterator[Post]:
    """Run such a server."""
    post, loop = Post(), asyncio.get_running_loop()

    def make() -> SMTP:
        return SMTP(
            post, loop=loop, authenticator=post.login, auth_require_tls=False, hostname="localhost"
        )

    server = await loop.create_server(make, "127.0.0.1", 0)
    post.port = server.sockets[0].getsockname()[1]
    try:
        yield post
    finally:
        server.close()
        await server.wait_closed()
