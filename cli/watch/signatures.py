"""Sign records that are exported, and check signatures in a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem, say
from doublecross.cli.shared.parsing import need_server_packages

if TYPE_CHECKING:
    from doublecross.server.signing.keys import PublicKey

_MOST_KEY_BYTES: Final = 1_000_000


def signing(key_file: Path) -> Callable[[str], str]:
    """Return a function that signs a record with the keys in this file.

    Raises:
        Problem: the file has no key.
    """
    need_server_packages()
    from doublecross.server.signing.keys import KeyFileError, read_keys
    from doublecross.server.signing.records import RecordSigner

    try:
        return RecordSigner(read_keys(key_file.expanduser())).sign
    except KeyFileError as error:
        raise Problem(str(error)) from None


def named_keys(given: str) -> list[PublicKey]:
    """Return the public keys that ``--key`` gives: one in Base64, or a file with keys.

    Raises:
        Problem: it gives none.
    """
    need_server_packages()
    from doublecross.server.signing.keys import public_key

    try:
        return [public_key(given)]
    except ValueError:
        pass
    path = Path(given).expanduser()
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_KEY_BYTES).decode()
    except (OSError, ValueError):
        raise Problem(
            f"{given} is neither a public key nor a file that can be read; doublecross keys show"
            " prints the keys of a server."
        ) from None
    try:
        return [public_key(text)]
    except ValueError:
        return keys_in(text, f"{given} has no public keys.")


def keys_in(text: str, otherwise: str) -> list[PublicKey]:
    """Return the public keys in JSON: a file of keys, or the answer of a server.

    Raises:
        Problem: there are none in it; `otherwise` is its sentence.
    """
    from doublecross.server.signing.keys import public_keys

    try:
        return list(public_keys(json.loads(text)))
    except (ValueError, LookupError, TypeError):
        raise Problem(otherwise) from None


def check_records(path: Path, keys: list[PublicKey]) -> bool:
    """Print what is wrong with the signatures in a file; return whether all are right.

    Raises:
        Problem: the file cannot be read, or has no records.
    """
    from doublecross.games.signatures import split_records
    from doublecross.server.signing.records import Verdict, check_signature

    known: Mapping[str, bytes] = {key.id: key.raw for key in keys}
    try:
        text = path.read_bytes().decode()
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Problem(f"{path} is not a file of records, which are text.") from None
    records = list(split_records(text))
    if not any("[" in record for _, record in records):
        raise Problem(f"{path} is not a file of records.")
    sentences = {
        Verdict.CHANGED: "it was changed after the server had signed it.",
        Verdict.UNSIGNED: "it has no signature.",
    }
    right = 0
    for number, (line, record) in enumerate(records, 1):
        verdict, key = check_signature(record, known)
        if verdict is Verdict.VALID:
            right += 1
            continue
        unknown = f"it is signed with the key {key[:40]!r}, which is none of those that you trust."
        say(f"Game {number}, line {line}: {sentences.get(verdict, unknown)}")
    if right == len(records):
        all_games = "The game is" if right == 1 else f"All {right} games are"
        say(f"{all_games} signed and unchanged.")
        return True
    say(f"{right} of {len(records)} games {'is' if right == 1 else 'are'} signed and unchanged.")
    return False
