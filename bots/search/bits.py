"""Operations on 64-bit words that numba does not offer: population count and lowest set bit.

All kernels use ``uint64`` for words. In numba the sum of an ``int64`` and a ``uint64`` is a float,
so the kernels convert counts and shifts before they combine them with words.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

U = np.uint64

ZERO = U(0)
ONE = U(1)


def _popcount(typing_context: Any, word: Any) -> Any:
    """Return the number of set bits of a ``uint64``, as ``int64``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


def _lowest(typing_context: Any, word: Any) -> Any:
    """Return the index of the lowest set bit of a ``uint64``, 64 for 0, as ``int64``."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


popcount: Any = intrinsic(_popcount)
lowest: Any = intrinsic(_lowest)
