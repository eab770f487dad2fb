"""Find the folder with the tokens of a server's resident bots."""

from __future__ import annotations

import hashlib
from pathlib import Path

from doublecross.cli.shared.server_files.host_file import HOST_FILE


def token_folder(database: str) -> Path:
    """Return the folder for the tokens of residents of a server with this database.

    It is beside an SQLite file, otherwise in the user's state folder.
    """
    if "://" not in database:
        path = Path(database).expanduser().absolute()
        return path.with_name(f"{path.name}.bots")
    from platformdirs import user_state_path
    from sqlalchemy import make_url

    url = make_url(database)
    if url.drivername.startswith("sqlite") and url.database:
        return token_folder(url.database)
    # Driver and password do not change which database it is. Versions before this one used the URL
    # as it was given, with a hidden password; what they stored stays where it is.
    driver = "postgresql" if url.drivername.startswith("postgres") else url.drivername
    bare = url.set(drivername=driver)._replace(password=None)
    folders = [
        user_state_path("doublecross")
        / "residents"
        / hashlib.sha256(text.encode()).hexdigest()[:16]
        for text in (url.render_as_string(), bare.render_as_string())
    ]
    return next((folder for folder in folders if folder.is_dir()), folders[-1])


def token_files(folder: Path) -> list[Path]:
    """Return the files with tokens in this folder, which may be missing."""
    # The file of the server beside them is of no use without it: the next start makes another one.
    return sorted(path for path in folder.glob("*.json") if path.name != HOST_FILE)
