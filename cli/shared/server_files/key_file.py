"""Find the keys of a server."""

from __future__ import annotations

from pathlib import Path

from doublecross.cli.shared.server_files.bot_tokens import token_folder


def key_file(database: str, signing_key: Path | None = None) -> Path:
    """Return the file of the keys with which a server with this database signs records.

    It is the one of the setting `signing_key`. Without it, it is beside an SQLite file, such as
    ``games.db.key``, otherwise in the user's state folder.
    """
    if signing_key is not None:
        return signing_key.expanduser()
    tokens = token_folder(database)
    return tokens.with_name(f"{tokens.name.removesuffix('.bots')}.key")
