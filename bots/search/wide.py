"""Words of 128 bits for the kernels: a numba type, its operators, and arrays of such words.

Theory of operation
-------------------
Kernels compute with ``uint64`` words as long as a board fits. For larger boards the same kernels
take a `Wide` instead, and numba compiles them a second time for the type `WIDE`, whose value is an
integer of 128 bits in LLVM. A ``uint64`` converts to `WIDE` without loss, so constants such as
``ONE`` serve both. The result of an operator is `WIDE` if one side is.

A shift must move by less than 64 bits, as with ``uint64``. The compiler then needs fewer
instructions. `doublecross.bots.search.bits` has the operations on words that are no operators, such
as `lowest`.

numpy has no such integers. A `WideArray` is an array of pairs of ``uint64`` in the memory layout of
a 128-bit integer. In Python its items are ints, in a kernel they are `WIDE`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Self

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, typeconv
from numba.core.datamodel import models
from numpy.typing import NDArray

# numba has no annotations for what defines a type.
_extending: Any = numba.extending
_types: Any = numba.types
_conversion: Any = typeconv.Conversion  # type: ignore[attr-defined]
_tools: Any = cgutils

_INT: Final = ir.IntType(128)
_WORD: Final = ir.IntType(64)
_HALF: Final = 64
_LOWER: Final = (1 << _HALF) - 1
_ITEM: Final = np.dtype([("low", np.uint64), ("high", np.uint64)])


class Wide(int):
    """A word of 128 bits, as an argument of a kernel; kernels return plain ints."""


class WideArray(np.ndarray[Any, Any]):
    """An array of words of 128 bits; its items are ints."""

    __numba_array_subtype_dispatch__ = True

    def __new__(cls, shape: int | tuple[int, ...]) -> Self:
        """Return an array of zeros."""
        return np.zeros(shape, _ITEM).view(cls)

    def __getitem__(self, index: Any) -> Any:
        """Return an item, as an int, or a part of the array."""
        found = super().__getitem__(index)
        if isinstance(found, np.void):
            return int(found["low"]) | int(found["high"]) << _HALF
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        """Set one or more items to an int."""
        number = int(value)
        super().__setitem__(index, (number & _LOWER, number >> _HALF))


class WordKind(NamedTuple):
    """The makers of words of `bits` bits: `word` takes an int, `array` makes an array of zeros."""

    bits: int
    word: Callable[[int], Any]
    array: Callable[[int | tuple[int, ...]], NDArray[Any]]


NARROW: Final = WordKind(64, np.uint64, lambda shape: np.zeros(shape, np.uint64))
"""Words of 64 bits."""
_WIDE: Final = WordKind(128, Wide, WideArray)


def word_kind(bits: int) -> WordKind:
    """Return the smallest words of at least `bits` bits.

    Raises:
        ValueError: there are no such words.
    """
    for kind in (NARROW, _WIDE):
        if bits <= kind.bits:
            return kind
    raise ValueError(f"A word has at most {_WIDE.bits} bits, not {bits}.")


class WideType(numba.types.Type):
    """The numba type of a word of 128 bits."""

    def __init__(self) -> None:
        super().__init__(name="wide")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Return how safe it is to convert a value of the type `other` to this type."""
        return _conversion.safe if isinstance(other, _types.Integer) else None


WIDE: Final = WideType()


class _WideModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _INT)  # type: ignore[no-untyped-call]


def _type_of_wide(value: Any, context: Any) -> Any:
    return WIDE


def _type_of_array(value: Any, context: Any) -> Any:
    layout = "C" if value.flags.c_contiguous else "A"
    # numpy aligns to 8 bytes, the type of LLVM to 16.
    return _types.Array(WIDE, value.ndim, layout, aligned=False)


def _widen(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    """Convert an integer to a word."""
    return builder.sext(value, _INT) if given.signed else builder.zext(value, _INT)


def _from_python(kind: Any, value: Any, c: Any) -> Any:
    """Convert a Python int to a word."""
    shift = c.pyapi.long_from_ulonglong(ir.Constant(_WORD, _HALF))
    upper = c.pyapi.number_rshift(value, shift)
    mask = c.pyapi.long_from_ulonglong(ir.Constant(_WORD, _LOWER))
    lower = c.pyapi.number_and(value, mask)
    low = c.builder.zext(c.pyapi.long_as_ulonglong(lower), _INT)
    high = c.builder.zext(c.pyapi.long_as_ulonglong(upper), _INT)
    for each in (shift, upper, mask, lower):
        c.pyapi.decref(each)
    word = c.builder.or_(low, c.builder.shl(high, ir.Constant(_INT, _HALF)))
    failed = _tools.is_not_null(c.builder, c.pyapi.err_occurred())
    return _extending.NativeValue(word, is_error=failed)


def _to_python(kind: Any, value: Any, c: Any) -> Any:
    """Convert a word to a Python int."""
    low = c.pyapi.long_from_ulonglong(c.builder.trunc(value, _WORD))
    upper = c.builder.trunc(c.builder.lshr(value, ir.Constant(_INT, _HALF)), _WORD)
    high = c.pyapi.long_from_ulonglong(upper)
    shift = c.pyapi.long_from_ulonglong(ir.Constant(_WORD, _HALF))
    moved = c.pyapi.number_lshift(high, shift)
    whole = c.pyapi.number_or(moved, low)
    for each in (low, high, shift, moved):
        c.pyapi.decref(each)
    return whole


_extending.register_model(WideType)(_WideModel)
_extending.typeof_impl.register(Wide)(_type_of_wide)
_extending.typeof_impl.register(WideArray)(_type_of_array)
_extending.lower_cast(_types.Integer, WideType)(_widen)
_extending.unbox(WideType)(_from_python)
_extending.box(WideType)(_to_python)


def _define(function: Any, result: Any, generate: Any) -> None:
    """Define the operator `function` for two words, or a word and an integer."""

    def typed(*kinds: Any) -> Any:
        wide = any(isinstance(kind, WideType) for kind in kinds)
        known = all(isinstance(kind, WideType | _types.Integer) for kind in kinds)
        return result if wide and known else None

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pairs = zip(args, signature.args, strict=True)
        words = (context.cast(builder, value, kind, WIDE) for value, kind in pairs)
        return generate(builder, *words)

    # numba asks for the number of parameters.
    unary = function is operator.invert
    _extending.type_callable(function)(
        lambda context: (lambda a: typed(a)) if unary else lambda a, b: typed(a, b)
    )
    pairs = (WideType, WideType), (WideType, _types.Integer), (_types.Integer, WideType)
    for operands in [(WideType,)] if unary else pairs:
        _extending.lower_builtin(function, *operands)(lower)


def _below(builder: Any, amount: Any) -> Any:
    """Return the amount of a shift so that LLVM knows that it is below 64."""
    return builder.and_(amount, ir.Constant(_INT, _HALF - 1))


def _compared(sign: str) -> Any:
    return lambda builder, a, b: builder.icmp_unsigned(sign, a, b)


for _names, _generate in {
    ("and_", "iand"): lambda builder, a, b: builder.and_(a, b),
    ("or_", "ior"): lambda builder, a, b: builder.or_(a, b),
    ("xor", "ixor"): lambda builder, a, b: builder.xor(a, b),
    ("add", "iadd"): lambda builder, a, b: builder.add(a, b),
    ("sub", "isub"): lambda builder, a, b: builder.sub(a, b),
    ("lshift", "ilshift"): lambda builder, a, b: builder.shl(a, _below(builder, b)),
    ("rshift", "irshift"): lambda builder, a, b: builder.lshr(a, _below(builder, b)),
    ("invert",): lambda builder, a: builder.not_(a),
}.items():
    for _name in _names:
        _define(getattr(operator, _name), WIDE, _generate)
for _name, _sign in {"eq": "==", "ne": "!=", "lt": "<", "gt": ">"}.items():
    _define(getattr(operator, _name), _types.boolean, _compared(_sign))
