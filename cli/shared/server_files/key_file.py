"""Where the keys of a server are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from doublecross.cli.settings.model import ServeSettings


def key_file(settings: ServeSettings) -> Path:
    """Return the file of the keys with which a server with these settings signs records.

    It is the one of the setting `signing_key`, or else `default_key_file`.
    """
    if settings.signing_key is not None:
        return settings.signing_key.expanduser()
    return default_key_file(settings.database)


def default_key_file(database: str) -> Path:
    """Return the file of the keys of a server with this database, if no setting names one.

    It is beside an SQLite file, such as ``games.db.key``, otherwise in the user's state folder.
    """
    from doublecross.cli.shared.server_files.bot_tokens import token_folder

    tokens = token_folder(database)
    return tokens.with_name(f"{tokens.name.removesuffix('.bots')}.key")
