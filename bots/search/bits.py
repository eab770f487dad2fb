"""Operations on words that numba does not offer, for words of 64 and of 128 bits.

The words of a board are ``uint64``, or `doublecross.bots.search.wide` words if the board is large.
The kernels are the same for both. In numba the sum of an ``int64`` and a ``uint64`` is a float, so
the kernels convert counts and shifts before they combine them with words. A shift moves by less
than 64 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from doublecross.bots.search.wide import WideType

U = np.uint64

ZERO = U(0)
ONE = U(1)

_WORD = ir.IntType(64)


def _kind(word: Any) -> Any:
    """Return the type of a word; an integer of another type is taken as a ``uint64``."""
    return word if isinstance(word, WideType) else types.uint64


def _popcount(typing_context: Any, word: Any) -> Any:
    """Return the number of set bits of a word, as ``int64``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.trunc(builder.ctpop(args[0]), _WORD)

    return types.int64(_kind(word)), generate


def _lowest(typing_context: Any, word: Any) -> Any:
    """Return the index of the lowest set bit of a word, or the number of its bits for 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.trunc(builder.cttz(args[0], ir.Constant(ir.IntType(1), 0)), _WORD)

    return types.int64(_kind(word)), generate


def _size(typing_context: Any, word: Any) -> Any:
    """Return the number of bytes of a word, 8 or 16, as ``int64``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return ir.Constant(_WORD, args[0].type.width // 8)

    return types.int64(_kind(word)), generate


def _narrow(typing_context: Any, word: Any) -> Any:
    """Return the 64 lowest bits of a word, as ``uint64``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.trunc(args[0], _WORD)

    return types.uint64(_kind(word)), generate


def _fold(typing_context: Any, word: Any) -> Any:
    """Return a ``uint64`` that depends on all bits of a word: of 64 bits, the word itself."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = args[0]
        low = builder.trunc(word, _WORD)
        if word.type.width == 64:
            return low
        high = builder.trunc(builder.lshr(word, ir.Constant(word.type, 64)), _WORD)
        # An odd factor loses nothing; it keeps equal halves from cancelling.
        return builder.xor(low, builder.mul(high, ir.Constant(_WORD, 0x9FB21C651E98DF25)))

    return types.uint64(_kind(word)), generate


def _bit(typing_context: Any, index: Any, like: Any) -> Any:
    """Return a word of the type of `like` in which only the bit `index` is set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = args[1].type
        return builder.shl(ir.Constant(kind, 1), _extended(builder, args[0], kind))

    return _kind(like)(types.int64, _kind(like)), generate


def _has(typing_context: Any, word: Any, index: Any) -> Any:
    """Return 1 if the bit `index` of a word is set, else 0, as ``int64``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        moved = builder.lshr(args[0], _extended(builder, args[1], args[0].type))
        return builder.and_(builder.trunc(moved, _WORD), ir.Constant(_WORD, 1))

    return types.int64(_kind(word), types.int64), generate


def _extended(builder: Any, value: Any, kind: Any) -> Any:
    return value if value.type == kind else builder.zext(value, kind)


popcount: Any = intrinsic(_popcount)
lowest: Any = intrinsic(_lowest)
size: Any = intrinsic(_size)
narrow: Any = intrinsic(_narrow)
fold: Any = intrinsic(_fold)
bit: Any = intrinsic(_bit)
has: Any = intrinsic(_has)
