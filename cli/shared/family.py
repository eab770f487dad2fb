"""Add commands to a family of commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import typer


def add(app: typer.Typer, command: Callable[..., Any], name: str | None = None) -> None:
    """Add a command under its own name, with dashes. Its docstring is the help text."""
    name = name or command.__name__.strip("_").replace("_", "-")
    app.command(name=name, help=help_text(command))(command)


def help_text(command: Callable[..., Any]) -> str:
    """Return the docstring of a command with one line for each paragraph, to fit any terminal."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
