"""Write settings as a TOML file, with the source of each value, for `serve --show-settings`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from doublecross.cli.settings.load import Loaded
from doublecross.cli.settings.model import GROUPS, HIDDEN
from doublecross.protocol.text import escaped

_COMMENT_AT: Final = 40
"""The column of the comments behind short values."""


def toml_of(loaded: Loaded) -> str:
    """Return all settings as TOML; what is not set stands in a comment, passwords are hidden."""
    lines = ["# The settings of a Doublecross server, with the source of each value."]
    for heading, names in GROUPS.items():
        lines += ["", f"# {heading}"]
        for name in names:
            value = getattr(loaded.settings, name)
            source = escaped(loaded.origins[name].text)
            if hide := _HIDE.get(name):
                shown = hide(value)
                if shown != value:
                    value, source = shown, f"{source}; the password is hidden"
            text = f"# {name} is not set" if value is None else f"{name} = {_literal(value)}"
            if name == "page" and source == "default":
                text = f"# {text}"  # a folder of this version, which a newer one would not have
            lines.append(f"{text:{_COMMENT_AT}} # {source}")
    return "\n".join(lines) + "\n"


def _without_logins(nats: str) -> str:
    """Return URLs of NATS servers without what stands before an @: a token or a password."""
    return re.sub(r"(?<=://)[^/,]*@", f"{HIDDEN}@", nats)


def _literal(value: bool | int | float | str | Path) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and value < 1e15 else repr(value)
    if isinstance(value, int):
        return repr(value)
    # The escapes of JSON are those of TOML, which also wants one for this character.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _without_password(database: str) -> str:
    if "://" not in database:
        return database
    from sqlalchemy import make_url
    from sqlalchemy.exc import SQLAlchemyError

    try:
        url = make_url(database)
    except (SQLAlchemyError, ValueError):
        # Wherever the password is.
        return f"{database.partition('://')[0]}://{HIDDEN}"
    hidden = {key: HIDDEN for key in url.query if "password" in key.lower()}
    if url.password is None and not hidden:
        return database
    shown = url.update_query_dict(hidden).render_as_string(hide_password=True)
    return shown.replace("%2A%2A%2A", HIDDEN)


_HIDE: Final[Mapping[str, Callable[[str], str]]] = {
    "database": _without_password,
    "nats": _without_logins,
}
