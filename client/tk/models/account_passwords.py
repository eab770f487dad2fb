"""Check the fields of a new password before they are sent."""

from __future__ import annotations

from enum import StrEnum

from doublecross.client.language import tr
from doublecross.protocol.errors import ErrorCode


class PasswordField(StrEnum):
    """The fields; the values are their Tk widget names."""

    CURRENT = "current"
    PASSWORD = "password"  # noqa: S105 - a name of a field, no password
    AGAIN = "again"


def password_problems(
    password: str, again: str, current: str | None = None
) -> dict[PasswordField, str]:
    """Return what is wrong with a new password, as sentences by field.

    `again` is the same typed once more. `current` is the present password, or None if there is
    none. Only the server knows whether a password is easy to guess, and whether `current` is right.
    """
    problems = {}
    if current == "":
        problems[PasswordField.CURRENT] = tr("Write your present password.")
    if not password:
        problems[PasswordField.PASSWORD] = tr("Write a new password.")
    elif again != password:
        problems[PasswordField.AGAIN] = tr("These two are not the same; type it once more.")
    return problems


def refused_field(code: str) -> PasswordField | None:
    """Return the field that a refusal of the server is about, or None if it is about neither."""
    if code == ErrorCode.BAD_LOGIN:
        return PasswordField.CURRENT
    if code == ErrorCode.WEAK_PASSWORD:
        return PasswordField.PASSWORD
    return None
