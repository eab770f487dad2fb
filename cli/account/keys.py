"""Make, show and replace the keys of a server, for records and pushes: `doublecross keys`."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from doublecross.cli.settings.options import SettingsOption, settings_of
from doublecross.cli.shared.console import FAILED, Problem, say
from doublecross.cli.shared.family import add, family
from doublecross.cli.shared.parsing import need_server_packages
from doublecross.cli.shared.server_files.key_file import key_file

if TYPE_CHECKING:
    from doublecross.server.signing.keys import PublicKey, SigningKeys

app = family("keys", no_args_is_help=True)
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        help="The server's database; its keys are beside it.",
        show_default="as in the settings, or in the data folder",
    ),
]


def new(database: DatabaseOption = None, settings_file: SettingsOption = None) -> None:
    """Make the key with which a server signs records.

    It is in a file that only you can read. Name that file in the setting signing_key, and start
    the server again. Then records that it gives out over HTTP have a signature, and everybody can
    check with doublecross export --verify that nobody has changed them.

    Example: doublecross keys new --settings /etc/doublecross.toml
    """
    path, named = _place(database, settings_file)
    from doublecross.server.signing.keys import new_keys, write_keys

    keys = new_keys(_now_ms())
    try:
        write_keys(path, keys, replace_file=False)
    except FileExistsError:
        raise Problem(
            f"There are keys in {path} already. Show them with doublecross keys show, or replace"
            " the key with doublecross keys rotate."
        ) from None
    except OSError as error:
        _not_written(path, error)
    say(f"Made the key {keys.current.id} in {path}.")
    say(f"Public key: {keys.current.text}")
    if named:
        say("Start the server again; then it signs records.")
    else:
        say(f"Let the server sign records with this setting: signing_key = {json.dumps(str(path))}")


def show(
    database: DatabaseOption = None,
    settings_file: SettingsOption = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="Print what the server publishes at /api/keys.")
    ] = False,
) -> None:
    """Show the public keys of a server, newest first, and when each was in use.

    Example: doublecross keys show
    """
    path, _ = _place(database, settings_file)
    keys = _read(path)
    if json_lines:
        print(json.dumps({"keys": [each.as_json() for each in keys.public]}))  # noqa: T201
        return
    for key in keys.public:
        say(f"{key.id}  {key.text}  {_times(key)}")


def rotate(database: DatabaseOption = None, settings_file: SettingsOption = None) -> None:
    """Replace the key of a server, for example because somebody else may have read it.

    The old private key is deleted. Its public key stays in the list, so records that are signed
    with it can still be checked. Start the server again afterwards.

    Example: doublecross keys rotate
    """
    path, _ = _place(database, settings_file)
    from doublecross.server.signing.keys import rotated, write_keys

    old = _read(path)
    keys = rotated(old, _now_ms())
    try:
        write_keys(path, keys, replace_file=True)
    except OSError as error:
        _not_written(path, error)
    say(f"Replaced the key {old.current.id} by {keys.current.id} in {path}.")
    say(f"Public key: {keys.current.text}")
    say("Start the server again; until then it signs with the old key.")


def push(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="The new file; only you can read it.")
    ],
) -> None:
    """Make the key with which a server tells browsers of turns while no page is open.

    Name the file in the setting push_key, and start the server again. Keep the key: browsers that
    have subscribed know no other one.

    Example: doublecross keys push push.pem
    """
    need_server_packages()
    from doublecross.server.shell.push import new_key
    from doublecross.server.signing.keys import write_private

    try:
        write_private(path, new_key(), replace_file=False)
    except FileExistsError:
        raise Problem(f"{path} exists already, and a new key would lose all browsers.") from None
    except OSError as error:
        _not_written(path, error)
    text = json.dumps(str(path.absolute()))
    say(f"Let the server push messages with this setting: push_key = {text}")


def _place(database: str | None, settings_file: str | None) -> tuple[Path, bool]:
    """Return the file of the keys, and whether a setting names it."""
    need_server_packages()
    settings = settings_of(database, settings_file)
    return key_file(settings.database, settings.signing_key), settings.signing_key is not None


def _read(path: Path) -> SigningKeys:
    from doublecross.server.signing.keys import KeyFileError, read_keys

    try:
        return read_keys(path)
    except KeyFileError as error:
        raise Problem(str(error)) from None


def _not_written(path: Path, error: OSError) -> NoReturn:
    raise Problem(f"{path} cannot be written: {error.strerror}.", FAILED) from None


def _now_ms() -> int:
    return int(time.time() * 1000)


def _times(key: PublicKey) -> str:
    since = f"since {_date(key.since_ms)}"
    return f"{since}, in use" if key.until_ms is None else f"{since} until {_date(key.until_ms)}"


def _date(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


for _command in (new, show, rotate, push):
    add(app, _command)
