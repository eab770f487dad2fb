"""Add commands to a family of commands."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import typer
from typer.core import TyperGroup


class Family(TyperGroup):
    """Commands that belong together. Its help has the whole first sentence of each."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [
            (name, (command.help or "").partition("\n\n")[0])
            for name, command in found
            if command is not None and not command.hidden
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def family(name: str, **more: Any) -> typer.Typer:
    """Return what commands of a family are added to; `cli/commands.py` says what they are for.

    Plain help needs none of the modules that draw boxes, and any terminal and ear can read it.
    """
    return typer.Typer(**{"name": name, "cls": Family, "rich_markup_mode": None, **more})


def alone() -> typer.Typer:
    """Return what a command without a family is added to."""
    return typer.Typer(add_completion=False, rich_markup_mode=None)


def add(app: typer.Typer, command: Callable[..., Any], name: str | None = None) -> None:
    """Add a command under its own name, with dashes. Its docstring is the help text."""
    name = name or command.__name__.strip("_").replace("_", "-")
    app.command(name=name, help=help_text(command))(command)


def help_text(command: Callable[..., Any]) -> str:
    """Return the docstring of a command with one line for each paragraph, to fit any terminal."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command each field of a dataclass that it takes as a parameter of its own."""
    groups: dict[str, Any] = {}
    parameters = []
    for name, kind in _hints(command).items():
        if not dataclasses.is_dataclass(kind):
            default = inspect.signature(command).parameters[name].default
            parameters.append(_parameter(name, kind, default))
            continue
        groups[name], kinds = kind, _hints(kind)
        parameters += [
            _parameter(f.name, kinds[f.name], f.default) for f in dataclasses.fields(kind)
        ]

    @functools.wraps(command)
    def flat(**given: Any) -> None:
        for name, kind in groups.items():
            fields = [field.name for field in dataclasses.fields(kind)]
            given[name] = kind(**{field: given.pop(field) for field in fields})
        command(**given)

    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flat.__annotations__ = {each.name: each.annotation for each in parameters}
    return flat


def _hints(of: Any) -> dict[str, Any]:
    hints = get_type_hints(of, include_extras=True)
    hints.pop("return", None)
    return hints


def _parameter(name: str, kind: Any, default: Any) -> inspect.Parameter:
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=kind)
