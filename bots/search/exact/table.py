"""The transposition table of the exact search: both bounds of a value in one word.

Theory of operation
-------------------
An entry is one ``uint64``: 46 bits of the key, 6 bits for the size of the searched tree (its binary
logarithm, for replacement), and 6 bits for each bound. A value has the parity of the number of
boxes left and lies between minus and plus this number, so the entry stores
``(low + boxes) / 2`` and ``(boxes - high) / 2``. With more than 63 boxes left such a number can be
too large for 6 bits. Then the entry has the nearest weaker bound. The low bits of the key select a
bucket of four consecutive entries. A new entry replaces the one with the smallest tree. The bounds
of a position are facts that do not depend on the search, so entries stay valid for all later
searches.

A search begins with a small part of the table, which the caches of the processor hold, and takes
twice as much whenever the part is half full (`enlarged`). The place of an entry in the larger part
has one bit of the key more. The entry has this bit, because a part has at least `PART` entries.

The table confuses two positions if their 46 bits and their buckets are equal. In a full table of 16
million entries this happens about once in 10**14 look-ups.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from doublecross.bots.search.bits import ZERO, U
from doublecross.bots.search.jit import kernel

BUCKET: Final = 4
ENTRY_BYTES: Final = 8
Words = NDArray[np.uint64]
_TAG = U(18)
_SIX = U(63)
_LEAST: Final = 1 << 12
PART: Final = 1 << 18
"""The entries of the first part of a table: 2 MiB. The tag has all bits of the key from 18 on."""
_SAMPLE: Final = 1 << 12


def new_table(memory_mb: float) -> Words:
    """Return an empty table of at most `memory_mb` MiB; its number of entries is a power of two."""
    entries = _LEAST
    while 2 * entries * ENTRY_BYTES <= memory_mb * 2**20:
        entries *= 2
    return np.zeros(entries, np.uint64)


def first_part(whole: Words) -> Words:
    """Return the part of the empty table `whole` that a search uses first."""
    return whole[:PART]


def enlarged(whole: Words, table: Words) -> Words:
    """Return the part of `whole` to use from now on, given the part `table` that is in use.

    Other threads may read and write `table` meanwhile. Then some of their entries may be lost.
    """
    size = len(table)
    sample = table[:_SAMPLE]
    if size == len(whole) or 2 * np.count_nonzero(sample) < len(sample):
        return table
    for start in range(0, size, PART):
        lower = whole[start : start + PART]
        # A copy, because each entry must be read only once.
        moving = lower.copy()
        moving[moving & np.uint64(size) == 0] = 0
        whole[size + start : size + start + PART] = moving
        lower[moving != 0] = 0
    return whole[: 2 * size]


def _fetch(typing_context: Any, table: Any, index: Any) -> Any:
    """Tell the processor that an element of an array will be read soon."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.globals.get("llvm.prefetch")
        if function is None:
            function = ir.Function(builder.module, kind, "llvm.prefetch")
        place = builder.bitcast(builder.gep(array.data, [args[1]]), byte)
        # For reading, into all caches, as data.
        builder.call(function, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(table, types.int64), generate


fetch: Any = intrinsic(_fetch)


@kernel
def announce(table: Any, key: Any) -> None:
    """Begin to load the bucket of `key`, so that a `probe` a little later need not wait."""
    fetch(table, np.int64(key & U(table.shape[0] - BUCKET)))


@kernel
def probe(table: Any, key: Any, boxes: int) -> Any:
    """Return the bounds (lower, upper) of the value of a position with `boxes` boxes left.

    Without an entry these are minus and plus `boxes`.
    """
    base = np.int64(key & U(table.shape[0] - BUCKET))
    tag = key >> _TAG
    for i in range(base, base + BUCKET):
        entry = table[i]
        if entry >> _TAG == tag:
            low = np.int64(entry >> U(6) & _SIX) * 2 - boxes
            high = boxes - np.int64(entry & _SIX) * 2
            return low, high
    return -boxes, boxes


@kernel
def store(table: Any, key: Any, boxes: int, low: Any, high: Any, size: int) -> None:
    """Store the bounds `low` and `high` of a value, found by a search of `size` nodes."""
    base = np.int64(key & U(table.shape[0] - BUCKET))
    tag = key >> _TAG
    place: Any = base
    least: Any = 1 << 62
    for i in range(base, base + BUCKET):
        entry = table[i]
        if entry >> _TAG == tag:
            low = max(low, np.int64(entry >> U(6) & _SIX) * 2 - boxes)
            high = min(high, boxes - np.int64(entry & _SIX) * 2)
            place = i
            break
        # An empty place is the first choice.
        weight = np.int64(entry >> U(12) & _SIX) if entry != ZERO else -1
        if weight < least:
            least = weight
            place = i
    log = 0
    while size > 1:
        size >>= 1
        log += 1
    under = U(min((low + boxes) // 2, 63))
    over = U(min((boxes - high) // 2, 63))
    table[place] = tag << _TAG | U(log) << U(12) | under << U(6) | over
