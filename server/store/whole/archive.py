"""Write and read backups of a server: a tar file with its database, its keys and bots' tokens.

Theory of operation
-------------------
The first member, ``backup.json``, names the kind of database and the SHA-256 of every other member.
The members are ``database``, for each token of a resident bot ``bots/NAME``, and ``key``, the file
of keys with which the server signs records, if there is one. A backup is written beside its final
place and renamed when it is complete and on disk, so a backup that exists is whole. Reading checks
every sum before anything is restored.

Tokens are secrets, and the database has hashes of all tokens, so only the owner can read a backup.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from doublecross.server.store.whole.dumps import BackupError

FORMAT: Final = 2
_WITHOUT_KEY: Final = 1
"""The format of backups without the member `KEY`, which earlier versions can read."""
CONTENTS: Final = "backup.json"
DATABASE: Final = "database"
BOTS: Final = "bots/"
KEY: Final = "key"

_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Backup:
    """The contents of a checked backup, unpacked into a temporary folder."""

    kind: str
    """`sqlite` or `postgresql`."""
    created: str
    """When it was made: ISO 8601 in UTC."""
    database: Path
    tokens: tuple[Path, ...]
    key: Path | None
    """The file of keys with which the server signs records, if it has one."""


@contextmanager
def scratch_folder(beside: Path) -> Iterator[Path]:
    """Make a folder beside a path for the time of the context. Only its owner can read it.

    It is on the same file system as the path, so its files can be renamed to their final places.
    The folder of a process that was killed is removed first.

    Raises:
        BackupError: the folder cannot be made, or another process uses it.
    """
    # Here, because the help of the commands needs no packages of the server.
    from doublecross.server.core.storage import StoreError
    from doublecross.server.store.sqlite.files import UseLock

    folder = beside.absolute().with_name(f".{beside.name}.doublecross")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        lock = UseLock(folder / "used")
        lock.acquire()
    except StoreError:
        raise BackupError(f"Another process is writing {beside}; try again later.") from None
    except OSError as error:
        raise BackupError(f"{beside} cannot be written: {error.strerror}.") from None
    try:
        for left in folder.iterdir():
            if left.is_dir():
                shutil.rmtree(left)
            elif not left.name.startswith("used"):
                left.unlink()
        yield folder
    finally:
        shutil.rmtree(folder)
        lock.release()


def write(
    path: Path, scratch: Path, *, kind: str, created: str, tokens: Sequence[Path], key: Path
) -> None:
    """Write a backup to `path`.

    The copy of the database is `scratch`/database. `tokens` are the files of the tokens, and `key`
    is the file of keys, which may be missing.

    Raises:
        OSError: the backup could not be written. Then `path` is unchanged.
    """
    members = {DATABASE: scratch / DATABASE, **{BOTS + token.name: token for token in tokens}}
    if key.is_file():
        members[KEY] = key
    contents = {
        "format": FORMAT if KEY in members else _WITHOUT_KEY,
        "kind": kind,
        "created": created,
        "sha256": {name: _sum(file) for name, file in members.items()},
    }
    whole = scratch / "backup.tar"
    with whole.open("wb") as raw:
        with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
            text = json.dumps(contents, indent=1).encode()
            header = tarfile.TarInfo(CONTENTS)
            header.size, header.mode = len(text), 0o600
            archive.addfile(header, io.BytesIO(text))
            for name, file in members.items():
                header = tarfile.TarInfo(name)
                header.size, header.mode = file.stat().st_size, 0o600
                with file.open("rb") as source:
                    archive.addfile(header, source)
        raw.flush()
        os.fsync(raw.fileno())
    whole.chmod(0o600)
    whole.replace(path)
    sync_folder(path.absolute().parent)


def read(path: Path, scratch: Path) -> Backup:
    """Unpack a backup into `scratch`, after checking its members and their sums.

    Raises:
        BackupError: the file cannot be read, is no backup, is damaged, or was made by a newer
            version.
        OSError: it could not be unpacked.
    """
    damaged = BackupError(f"{path} is damaged: a part of the backup is missing or has changed.")
    try:
        with tarfile.open(path, mode="r:") as archive:
            contents = _contents(path, archive)
            sums: dict[str, str] = contents["sha256"]
            for name, expected in sums.items():
                target = scratch / _safe(name, damaged)
                target.parent.mkdir(exist_ok=True)
                try:
                    source = archive.extractfile(name)
                except KeyError:
                    raise damaged from None
                if source is None:
                    raise damaged
                with target.open("wb") as file:
                    while chunk := source.read(_CHUNK):
                        file.write(chunk)
                    file.flush()
                    os.fsync(file.fileno())
                target.chmod(0o600)
                if _sum(target) != expected:
                    raise damaged
    except FileNotFoundError:
        raise BackupError(f"There is no file {path}.") from None
    except tarfile.TarError:
        raise BackupError(f"{path} is not a backup of Doublecross, or is damaged.") from None
    tokens = tuple(scratch / name for name in sums if name.startswith(BOTS))
    key = scratch / KEY if KEY in sums else None
    return Backup(contents["kind"], contents["created"], scratch / DATABASE, tokens, key)


def _contents(path: Path, archive: tarfile.TarFile) -> dict[str, Any]:
    unknown = BackupError(f"{path} is not a backup of Doublecross, or is damaged.")
    first = archive.next()
    member = None if first is None or first.name != CONTENTS else archive.extractfile(first)
    if member is None:
        raise unknown
    try:
        contents: dict[str, Any] = json.loads(member.read())
        number, sums = contents["format"], contents["sha256"]
        known = isinstance(number, int) and isinstance(sums, dict) and DATABASE in sums
        known = known and {"kind", "created"} <= contents.keys()
    except (ValueError, TypeError, KeyError):
        raise unknown from None
    if not known:
        raise unknown
    if number > FORMAT:
        raise BackupError(
            f"{path} was made by a newer version of Doublecross; install that version."
        )
    return contents


def _safe(name: str, damaged: BackupError) -> str:
    """Return the name of a member; refuse one that would leave the scratch folder."""
    inner = name.removeprefix(BOTS)
    if name not in (DATABASE, KEY) and (inner == name or "/" in inner or inner in ("", ".", "..")):
        raise damaged
    return name


def _sum(file: Path) -> str:
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power failure, where the system can do that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
