"""Find the small changes, the mutants, that tests should notice in one source file.

Docstrings, annotations of functions, f-strings, decorators, `__repr__`, type-checking blocks and
the arguments of `raise` have no mutants: no test should check them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType
from typing import Final, NamedTuple, Self

COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}

ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}

BUILTINS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}

_SPECIFIC: Final = ("Annotated", "TypeVar", "Literal", "NewType", "overload")
"""Calls and subscripts whose strings name types."""


class FunctionKey(NamedTuple):
    """What identifies the code of a function: its file, qualified name and first line."""

    path: str
    name: str
    line: int


@dataclass(frozen=True)
class Mutant:
    """One change of one file: a node of its syntax tree that is replaced by another."""

    path: Path
    tree: ast.Module
    parent: ast.AST
    field: str
    index: int | None
    new: ast.AST
    function: FunctionKey | None
    """The outermost function around the change; None where an import runs the code."""
    line: int
    text: str

    def mutated_code(self) -> CodeType:
        """Return the compiled file with the change, which stays in the tree."""
        self._put(self.new)
        ast.fix_missing_locations(self.tree)
        return compile(self.tree, str(self.path), "exec", dont_inherit=True)

    def without_change(self) -> Self:
        """Return a control: the same place in the same file, but nothing is replaced."""
        old = getattr(self.parent, self.field)
        return replace(self, new=old if self.index is None else old[self.index])

    def _put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def mutants_of(path: Path) -> list[Mutant]:
    """Return all mutants of a file, in the order of its source."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return list(_Finder(path, tree).find(tree, None, ""))


@dataclass(frozen=True)
class _Finder:
    """Walks the syntax tree of one file."""

    path: Path
    tree: ast.Module

    def find(self, node: ast.AST, function: FunctionKey | None, scope: str) -> Iterator[Mutant]:
        """Yield the mutants below a node; `scope` prefixes the names of functions inside."""
        for field, value in ast.iter_fields(node):
            children = value if isinstance(value, list) else [value]
            for index, child in enumerate(children):
                if not isinstance(child, ast.AST) or _is_untested(node, field, child):
                    continue
                if isinstance(node, ast.AnnAssign) and field == "annotation":
                    yield from self._calls(child, scope)
                    continue
                for new in _replacements(child):
                    place = index if isinstance(value, list) else None
                    yield self._mutant(node, field, place, child, new, function)
                if isinstance(child, ast.ClassDef):
                    yield from self.find(child, function, f"{scope}{child.name}.")
                elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from self._function(child, function, scope)
                else:
                    yield from self.find(child, function, scope)

    def _function(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        function: FunctionKey | None,
        scope: str,
    ) -> Iterator[Mutant]:
        if node.name == "__repr__":
            return
        yield from self.find(node.args, function, scope)  # Defaults belong to the outer code.
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        inner = function or FunctionKey(str(self.path), f"{scope}{node.name}", first)
        body = ast.Module(body=node.body, type_ignores=[])
        yield from self.find(body, inner, scope)

    def _calls(self, annotation: ast.AST, scope: str) -> Iterator[Mutant]:
        """Yield the mutants of calls in annotations of fields, such as `Field(max_length=20)`."""
        for node in ast.walk(annotation):
            if isinstance(node, ast.Call):
                yield from self.find(node, None, scope)

    def _mutant(
        self,
        parent: ast.AST,
        field: str,
        index: int | None,
        old: ast.AST,
        new: ast.AST,
        function: FunctionKey | None,
    ) -> Mutant:
        ast.copy_location(new, old)
        line = getattr(old, "lineno", getattr(parent, "lineno", 1))
        text = f"{_shown(old)} -> {_shown(new)}"
        return Mutant(self.path, self.tree, parent, field, index, new, function, line, text)


def _is_untested(parent: ast.AST, field: str, child: ast.AST) -> bool:
    """Return whether no test should check this part of the code."""
    if isinstance(child, ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Assert):
        return True
    if field in ("decorator_list", "returns", "type_comment"):
        return True
    if isinstance(parent, ast.arg) and field == "annotation":
        return True
    if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
        return True
    if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
        return True
    if isinstance(parent, ast.Raise):
        return True
    if isinstance(parent, ast.Subscript) and field == "slice":
        return ast.unparse(parent.value).rpartition(".")[2] in ("Literal", "Callable", "Mapping")
    if isinstance(child, ast.Call):
        return ast.unparse(child.func).rpartition(".")[2] in ("TypeVar", "NewType", "cast")
    if isinstance(child, ast.Assign) and "__all__" in ast.unparse(child.targets[0]):
        return True
    return isinstance(parent, ast.keyword) and parent.arg in ("slots", "frozen", "kw_only", "title")


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in place of a node."""
    match node:
        case ast.Compare(left, [operator, *others], comparators):
            yield ast.Compare(left, [COMPARISONS[type(operator)](), *others], comparators)
        case ast.BinOp(left, operator, right) if not _is_union(node):
            yield ast.BinOp(left, ARITHMETIC[type(operator)](), right)
        case ast.AugAssign(target, operator, value):
            yield ast.AugAssign(target, ARITHMETIC[type(operator)](), value)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(str() as value) if " " not in value:
            yield ast.Constant(f"{value}X")
        case ast.If(test, body, orelse) if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, body, orelse) if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield ast.IfExp(test, orelse, body)
        case ast.Return(ast.AST() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(ast.Call()) | ast.Raise():
            yield ast.Pass()
        case ast.Assign([ast.Attribute()] as targets, value) if not _is_off(value):
            yield ast.Assign(targets, ast.Constant(None))
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
        case ast.Call(ast.Name(name), args, keywords) if name in BUILTINS:
            yield ast.Call(ast.Name(BUILTINS[name], ast.Load()), args, keywords)
        case _:
            return


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_off(node: ast.AST) -> bool:
    """Return whether the node is None or False, which most code cannot tell apart."""
    return isinstance(node, ast.Constant) and (node.value is None or node.value is False)


def _is_union(node: ast.BinOp) -> bool:
    """Return whether the node is a union of types, as in `int | None`."""
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name | ast.Attribute)]
    types = [ast.unparse(part).rpartition(".")[2] for part in names]
    known = ("int", "str", "float", "bool", "None")
    return isinstance(node.op, ast.BitOr) and (
        any(_is_none(part) for part in ast.walk(node))
        or all((name[:1].isupper() and not name.isupper()) or name in known for name in types)
    )


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 70 else f"{text[:45]} ... {text[-20:]}"
