"""The addresses to which mails go, and the account from which they come."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

_LABEL: Final = "[A-Za-z0-9-]{1,63}"
EMAIL: Final = rf"^[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]{{1,64}}@{_LABEL}(\.{_LABEL}){{1,8}}$"
"""The addresses that are accepted: those that browsers accept, with a dot behind the @."""
Security: TypeAlias = Literal["starttls", "tls", "none"]


@dataclass(frozen=True, slots=True)
class MailAccount:
    """Where mails are handed in, and from whom they come. `page` is the address that people open.

    The file of the password is read for each mail, so a host can replace it.
    """

    host: str
    port: int
    security: Security
    user: str | None
    password_file: Path | None
    sender: str
    page: str
