"""Add commands to a family of commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import typer


def add(app: typer.Typer, command: Callable[..., Any], name: str | None = None) -> None:
    """Add a command under its own name, with dashes. Its docstring is the help text.

    The help has one line for each paragraph, so that it fits any terminal.
    """
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    app.command(name=name or command.__name__.strip("_").replace("_", "-"), help=text)(command)
