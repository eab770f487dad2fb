"""The command `doublecross`: assembles its subcommands and turns errors into exit codes."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Final

import typer

from doublecross.cli.commands import Commands
from doublecross.cli.shared.console import (
    BAD_INPUT,
    FAILED,
    INTERRUPTED,
    Problem,
    discard_output,
    open_standard_streams,
    plain,
    print_error,
    warn,
)

_UsageError: Final = typer.BadParameter.__mro__[2]
"""The base class of command line errors. Typer takes it from click, under changing names."""
_COMPLETING: Final = "_DOUBLECROSS_COMPLETE"
"""The variable of shells that ask for completions."""
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
"""The errors of a write for which the disk has no room."""

app = typer.Typer(
    name="doublecross",
    cls=Commands,
    help="Play Dots and Boxes over the network: run a server, play, let bots compete.",
    epilog="Start with: doublecross demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"doublecross {version('doublecross')}")
        except PackageNotFoundError:
            typer.echo("doublecross (not installed)")
        raise typer.Exit


@app.callback()
def _doublecross(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; `arguments` are those of this process by default.

    Returns:
        The exit code: 0 for success, 1 for a failure, 2 for a request that cannot be carried out,
        130 after Ctrl-C.
    """
    # Nearly nothing that imports make is garbage, and to look for it takes an eighth of them.
    gc.set_threshold(100_000)
    open_standard_streams()
    if _COMPLETING in os.environ:
        return _complete()
    code = _run(None if arguments is None else list(arguments))
    if code == INTERRUPTED:
        warn("Stopped.")
    return code


def _run(arguments: list[str] | None) -> int:
    try:
        arguments = sys.argv[1:] if arguments is None else arguments
        result = prepare()(args=arguments, prog_name="doublecross", standalone_mode=False)
        # Flush now, so that a closed pipe raises its error here and not at exit.
        sys.stdout.flush()
    except Problem as problem:
        print_error(problem.sentence, problem.trace)
        return problem.code
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()  # its reader (head, less) has closed the pipe
        return 0
    except OSError as error:
        if error.errno not in _NO_ROOM or error.filename is not None:
            raise
        discard_output()
        print_error(f"The output could not be written: {error.strerror}. Make room for it.")
        return FAILED
    except typer.Exit as done:
        return done.exit_code
    except Exception as error:
        if not isinstance(error, _UsageError):
            raise
        _usage(error)
        return BAD_INPUT
    return result if isinstance(result, int) else 0


def _complete() -> int:
    """Answer a shell that asks for completions. Errors say nothing while somebody types."""
    # The shell takes each line of a wrapped help text for a completion of its own.
    os.environ["COLUMNS"] = "9999"
    with contextlib.suppress(Exception):
        prepare()(prog_name="doublecross", standalone_mode=False)
    return 0


@cache
def prepare() -> Any:
    """Return the function that runs the command line."""
    return typer.main.get_command(app)


def _usage(error: Exception) -> None:
    """Print what is wrong with the command line and where to find its help."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "doublecross"
    text = getattr(error, "format_message", lambda: str(error))()
    if type(error).__name__ == "NoArgsIsHelpError":
        typer.echo(text, err=True)
        return
    text = plain(text).rstrip(".")
    print_error(f"{text}{'' if text.endswith('?') else '.'} See: {path} --help")


if __name__ == "__main__":
    sys.exit(main())
