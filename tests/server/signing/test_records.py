"""Tests that a signature survives the ways of text, and that every change of a record is found."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from doublecross.games.record import (
    Record,
    RecordedMove,
    format_record,
    parse_record,
    parse_records,
)
from doublecross.games.registry import game_class
from doublecross.games.signatures import split_records
from doublecross.server.signing.keys import (
    KeyFileError,
    PublicKey,
    SigningKeys,
    new_keys,
    public_key,
    read_keys,
    rotated,
    write_keys,
)
from doublecross.server.signing.records import RecordSigner, Verdict, check_signature

_PRIVATE = bytes(range(32))
"""Always the same, because a change that the tests make must not fall into the signature."""
_PUBLIC = Ed25519PrivateKey.from_private_bytes(_PRIVATE).public_key().public_bytes_raw()
KEYS = SigningKeys(_PRIVATE, (PublicKey(_PUBLIC, 1_700_000_000_000),))
KNOWN = {KEYS.current.id: KEYS.current.raw}
_KIND = game_class("dots-and-boxes")
RECORD = Record(
    game=_KIND(_KIND.parse_size("2x2")),
    players=("Ann", 'Bob "Box" Ütz'),
    moves=tuple(RecordedMove(action, 60_000 - action) for action in (0, 6, 1, 7, 2, 8, 3, 9)),
    date="2026-11-22T02:51:33+00:00",
    time_control="60+1",
    result="1-0",
    termination="resigned",
    tags=(("Room", "xmpzmeavfq"), ("Rated", "yes")),
)
SIGNED = RecordSigner(KEYS).sign(format_record(RECORD))


def verdict(text: str) -> Verdict:
    return check_signature(text, KNOWN)[0]


def test_readers_keep_the_signature_as_tags() -> None:
    read = parse_record(SIGNED)
    assert read.tags[:2] == RECORD.tags
    assert [name for name, _ in read.tags[2:]] == ["SignedBy", "Signature"]
    assert replace(read, tags=RECORD.tags) == RECORD
    assert verdict(format_record(read)) is Verdict.VALID
    assert RecordSigner(KEYS).sign(SIGNED) == SIGNED


@pytest.mark.parametrize(
    "harmless",
    [
        SIGNED.replace("\n", "\r\n"),
        SIGNED.replace("\n", "  \n"),
        SIGNED.replace("\n", "\n\n"),
        "\ufeff" + SIGNED,
        SIGNED.replace(" 2. ", "\n2. "),
        SIGNED.rstrip("\n"),
    ],
)
def test_other_line_endings_and_spaces_change_nothing(harmless: str) -> None:
    assert harmless != SIGNED
    assert verdict(harmless) is Verdict.VALID


def _changes() -> dict[str, str]:
    """Return the signed record with one change of each kind."""
    lines = SIGNED.splitlines()
    found = {
        f"without {line.partition(' ')[0]}]": SIGNED.replace(f"{line}\n", "")
        for line in lines
        if line.startswith("[") and "Sign" not in line
    }
    found |= {
        "a name": SIGNED.replace("Ann", "Eve"),
        "a letter of a name in another case": SIGNED.replace("Ann", "ann"),
        "players exchanged": SIGNED.replace('Seat0 "', 'Seat9 "')
        .replace('Seat1 "', 'Seat0 "')
        .replace('Seat9 "', 'Seat1 "'),
        "the result": SIGNED.replace("1-0", "0-1"),
        "the result in the header": SIGNED.replace('Result "1-0"', 'Result "0-1"'),
        "the date": SIGNED.replace("2026-11-22", "2026-11-23"),
        "a clock": SIGNED.replace("{59.999}", "{59.998}"),
        "without a clock": SIGNED.replace(" {59.999}", ""),
        "the last move": SIGNED.replace(f" {lines[-1].split()[-3]} ", " 9 "),
        "a header more": SIGNED.replace("[Room", '[Event "Cup"]\n[Room'),
        "a header in another order": SIGNED.replace(
            '[Room "xmpzmeavfq"]\n[Rated "yes"]', '[Rated "yes"]\n[Room "xmpzmeavfq"]'
        ),
        "a space in a header": SIGNED.replace('"yes"', '"yes "'),
        "a comment at the end": f"{SIGNED}; well played\n",
        "another character of the same look": SIGNED.replace("Ütz", "U\u0308tz"),
        "the signature": SIGNED.replace('[Signature "', '[Signature "AAAA'),
        "no signature but a key": "\n".join(li for li in lines if "Signature" not in li),
        "no key but a signature": "\n".join(li for li in lines if "SignedBy" not in li),
        "two signatures": SIGNED.replace("[Signature", '[Signature "AAAA"]\n[Signature'),
        "a signature that is no Base64": SIGNED.replace('[Signature "', '[Signature "?'),
    }
    return found


@pytest.mark.parametrize("change", _changes())
def test_every_change_is_found(change: str) -> None:
    text = _changes()[change]
    assert text != SIGNED
    assert verdict(text) is Verdict.CHANGED


def test_each_move_that_changes_is_found() -> None:
    words = SIGNED.split(" ")
    for at, word in enumerate(words):
        changed = " ".join([*words[:at], f"{word}x", *words[at + 1 :]])
        assert verdict(changed) in (Verdict.CHANGED, Verdict.UNKNOWN_KEY), word


def test_an_unsigned_record_and_one_of_another_key() -> None:
    assert verdict(format_record(RECORD)) is Verdict.UNSIGNED
    other = new_keys(0)
    foreign = RecordSigner(other).sign(format_record(RECORD))
    assert check_signature(foreign, KNOWN) == (Verdict.UNKNOWN_KEY, other.current.id)
    # Nobody can pass off a signature as one of a trusted key.
    claimed = foreign.replace(other.current.id, KEYS.current.id)
    assert verdict(claimed) is Verdict.CHANGED


def test_records_of_the_old_key_are_right_after_it_was_replaced(tmp_path: Path) -> None:
    file = tmp_path / "games.db.key"
    write_keys(file, KEYS, replace_file=False)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_keys(file) == KEYS
    with pytest.raises(FileExistsError):
        write_keys(file, new_keys(0), replace_file=False)
    write_keys(file, rotated(KEYS, 1_800_000_000_000), replace_file=True)
    later = read_keys(file)
    assert [key.until_ms for key in later.public] == [None, 1_800_000_000_000]
    assert later.public[1].id == KEYS.current.id
    known = {key.id: key.raw for key in later.public}
    assert check_signature(SIGNED, known)[0] is Verdict.VALID
    again = RecordSigner(later).sign(SIGNED)
    assert check_signature(again, known) == (Verdict.VALID, later.current.id)
    assert list(tmp_path.iterdir()) == [file]
    assert public_key(later.current.text).id == later.current.id


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("hello", "is no file of keys"),
        ("{}", "is no file of keys"),
        ('{"format": 2}', "newer version"),
        ('{"format": 1, "private": "AAAA", "keys": []}', "is no file of keys"),
    ],
)
def test_a_wrong_file_of_keys_gets_one_sentence(content: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "keys"
    with pytest.raises(KeyFileError, match="There is no file of keys"):
        read_keys(file)
    file.write_text(content)
    file.chmod(0o600)
    with pytest.raises(KeyFileError, match=says):
        read_keys(file)
    file.chmod(0o604)
    with pytest.raises(KeyFileError, match=f"Everybody can read .*chmod 600 {file}"):
        read_keys(file)


def test_a_file_is_split_into_the_records_that_readers_find() -> None:
    second = format_record(replace(RECORD, moves=(), result="*", termination="void"))
    text = "\n".join((SIGNED, "", second, SIGNED))
    parts = list(split_records(text))
    assert [parse_record(part) for _, part in parts] == parse_records(text)
    assert [verdict(part) for _, part in parts] == [
        *(Verdict.VALID, Verdict.UNSIGNED, Verdict.VALID),
    ]
    assert [text.split("\n")[line - 1] for line, _ in parts] == ['[Game "dots-and-boxes"]'] * 3
    cut = SIGNED[: SIGNED.rindex(" ")]
    assert len(list(split_records(f"{cut}\n{SIGNED}"))) == 2
