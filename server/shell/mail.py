"""Send mails through the SMTP server that the settings name.

A bounded number of mails waits, each in a task of its own, so that none holds up another. A mail
that is refused for now is tried again a few times. The log has no addresses and no texts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Final, TypeAlias

import structlog

from doublecross.server.core.storage import StoreError
from doublecross.server.shell.identity.mail import MailAccount

MOST_WAITING: Final = 200
"""How many mails may wait."""
AT_ONCE: Final = 4
"""How many mails are handed in at the same time."""
FOR_GOOD: Final = 500
"""The first of the codes with which an SMTP server refuses a mail for good."""
PAUSES_S: Final = (0.0, 10.0, 120.0)
"""The pauses before the tries to send a mail, in seconds."""
PATIENCE_S: Final = 30.0
"""How long each answer of the SMTP server may take, in seconds."""

_log = structlog.get_logger("mail")


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of plain text."""

    to: str = field(repr=False)
    subject: str
    text: str = field(repr=False)
    unsubscribe: str = field(default="", repr=False)
    """The address that ends such mails with one POST (RFC 8058), if there is one."""


Write: TypeAlias = Callable[[], Awaitable[Sequence[Mail]]]
"""Writes mails in the background, so that no answer tells by its time whether there are any."""


class Mailer:
    """Send mails for one server; without an account there is nobody to hand them in to."""

    def __init__(self, account: MailAccount | None, pauses_s: Sequence[float] = PAUSES_S) -> None:
        self.account = account
        self._pauses_s = pauses_s
        self.waiting: set[asyncio.Task[None]] = set()
        """The tasks of the mails that are not sent yet."""
        self._turns = asyncio.Semaphore(AT_ONCE)

    def post(self, write: Write) -> None:
        """Send what `write` returns, in the background, unless too many mails wait."""
        if len(self.waiting) >= MOST_WAITING:
            _log.warning("mail_dropped", waiting=len(self.waiting))
            return
        task = asyncio.ensure_future(self._send_all(write))
        self.waiting.add(task)
        task.add_done_callback(self.waiting.discard)

    async def _send_all(self, write: Write) -> None:
        try:
            for mail in await write():
                await self._send(mail)
        except StoreError as failed:
            _log.warning("mail_failed", error=str(failed))
        except Exception:  # noqa: BLE001 - a bug here must not be lost with its task
            _log.exception("mail_failed")

    async def _send(self, mail: Mail) -> None:
        # Only servers that send mails need it.
        from aiosmtplib import SMTPException, SMTPRecipientsRefused

        for pause_s in self._pauses_s:
            await asyncio.sleep(pause_s)
            try:
                async with self._turns:
                    await self._hand_in(mail)
            except (SMTPException, OSError) as error:
                why = error.recipients[0] if isinstance(error, SMTPRecipientsRefused) else error
                code = getattr(why, "code", None)
                # The texts of errors repeat addresses.
                _log.warning("mail_failed", error=type(error).__name__, code=code)
                if code is not None and code >= FOR_GOOD:
                    return
            else:
                _log.info("mail_sent", subject=mail.subject)
                return

    async def _hand_in(self, mail: Mail) -> None:
        import aiosmtplib

        account = self.account
        assert account is not None
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = account.sender, mail.to, mail.subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=account.sender.rpartition("@")[2])
        if mail.unsubscribe:
            message["List-Unsubscribe"] = f"<{mail.unsubscribe}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message["Auto-Submitted"] = "auto-generated"  # so that no absent person answers
        message.set_content(mail.text)
        password = None
        if account.password_file is not None:
            text = await asyncio.to_thread(account.password_file.read_text)
            password = text.rstrip("\r\n")
        await aiosmtplib.send(
            message,
            hostname=account.host,
            port=account.port,
            username=account.user,
            password=password,
            use_tls=account.security == "tls",
            start_tls=account.security == "starttls",
            timeout=PATIENCE_S,
        )

    async def close(self) -> None:
        """Give up the mails that still wait."""
        for task in self.waiting:
            task.cancel()
        await asyncio.gather(*self.waiting, return_exceptions=True)
