"""Mails go to the SMTP server of the settings, again if need be, and leave nothing in the log."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from doublecross.server.shell.mail import Mail, Mailer
from doublecross.server.shell.settings import ServerSettings
from tests.fakes.smtp import post_office

MAIL = Mail("ann@example.org", "A test", "Grüße\nhttps://games.example.org/account#x=secret\n")


async def one() -> Sequence[Mail]:
    return [MAIL]


async def test_a_mail_is_sent_again_unless_it_is_refused_for_good(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("pass word\n")
    async with post_office() as post:
        post.answers = ["451 try later", "250 taken", "550 nobody"]
        given = {**post.settings, "smtp_user": "me", "smtp_password_file": key}
        mailer = Mailer(ServerSettings.model_validate(given).mail, (0, 0))
        with capture_logs() as log:
            for _ in range(2):
                mailer.post(one)
                await asyncio.gather(*mailer.waiting)
        mail = await post.mail()
        assert (mail["From"], mail["To"]) == ("games@example.org", "ann@example.org")
        assert mail.get_content().splitlines() == MAIL.text.splitlines()
        assert post.nothing()
        assert set(post.passwords) == {b"pass word"}
        codes = [each.get("code") for each in log if each["log_level"] == "warning"]
        assert codes == [451, 550]
        assert not any(word in str(log) for word in ("ann@", "secret", "pass word"))


@pytest.mark.parametrize("missing", ["public_http", "smtp_sender"])
def test_mails_need_a_sender_and_the_address_of_their_links(missing: str) -> None:
    given = {"public_http": "https://x.org", "smtp_host": "x", "smtp_sender": "a@x.org"}
    del given[missing]
    with pytest.raises(ValueError, match=r"smtp_host|public_http"):
        ServerSettings.model_validate(given)
