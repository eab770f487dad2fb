"""Encode and decode what nodes publish: batches for one run, and words for all.

A batch is a msgpack array: the sender's run, the three numbers of the header (see `link`), the
items, and the calls. Readers ignore further fields, which a later version may add.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

import msgpack

OVERHEAD: Final = 256
"""The most bytes of a batch beside its items, for runs of up to `RUN_BYTES`."""
ITEM_OVERHEAD: Final = 5
"""The most bytes that an item needs beside its own."""
RUN_BYTES: Final = 64
"""The most bytes of the name of a run."""


class MalformedError(ValueError):
    """The bytes that arrived are neither a batch nor a word of a node."""


class Word(IntEnum):
    """The words that a run sends to all others."""

    HELLO = 1
    """It is there, and wants links to all others."""
    BYE = 2
    """It leaves and never returns."""


Batch = tuple[str, int, int, int, list[bytes], list[bytes]]
"""A message of one run to another: the run, session, known session, number, items and calls.

A beat has neither items nor calls. A batch is a plain tuple because that takes the least time to
make.
"""


class Said(NamedTuple):
    """A word of one run to all others."""

    run: str
    word: Word


WORD_FIELDS: Final = 2
BATCH_FIELDS: Final = 6
_BYTES: Final = frozenset((bytes,))
_pack: Final = msgpack.Packer().pack


def encode(
    run: str, stamp: tuple[int, int, int], items: Sequence[bytes], calls: Sequence[bytes]
) -> bytes:
    """Return a batch of `run` with the header `stamp` as bytes."""
    return _pack((run, *stamp, items, calls))


def encode_word(run: str, word: Word) -> bytes:
    """Return a word of `run` as bytes."""
    return _pack((run, int(word)))


def decode(payload: bytes) -> Batch | Said:
    """Return the batch or the word in `payload`.

    Raises:
        MalformedError: it has neither; the message says why.
    """
    try:
        fields = msgpack.unpackb(payload)
    except (ValueError, TypeError, OverflowError) as error:
        raise MalformedError(f"it is not msgpack: {error}") from error
    if type(fields) is not list or len(fields) < WORD_FIELDS or type(fields[0]) is not str:
        raise MalformedError("it does not begin with a run")
    if len(fields) == WORD_FIELDS:
        return _said(*fields)
    if len(fields) < BATCH_FIELDS:
        raise MalformedError("a batch has more fields")
    run, session, known, number, items, calls = fields[:BATCH_FIELDS]
    # A match statement takes twenty times as long.
    if not (
        type(session) is type(known) is type(number) is int and session > 0 <= known and number >= 0
    ):
        raise MalformedError("its header is not that of a batch")
    if not (
        type(items) is type(calls) is list
        and _BYTES.issuperset(map(type, items))
        and _BYTES.issuperset(map(type, calls))
    ):
        raise MalformedError("its items are not bytes")
    return run, session, known, number, items, calls


def _said(run: str, word: object) -> Said:
    if type(word) is not int or word not in list(Word):
        raise MalformedError("a run says an unknown word")
    return Said(run, Word(word))


def split(items: Sequence[bytes], most: int) -> list[list[bytes]]:
    """Return the items in order in lists of at most `most` bytes each, overhead included.

    Raises:
        ValueError: one item alone is too large.
    """
    lists: list[list[bytes]] = [[]]
    size = 0
    for item in items:
        needed = len(item) + ITEM_OVERHEAD
        if needed > most:
            raise ValueError(f"an item of {len(item)} bytes does not fit into {most}")
        if size + needed > most:
            lists.append([])
            size = 0
        lists[-1].append(item)
        size += needed
    return lists
