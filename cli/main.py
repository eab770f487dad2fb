"""The command `doublecross`: its subcommands, and how they end."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from cli.analysis import analyse, stats
from cli.arena import arena, sprt
from cli.bot import bot, lists
from cli.match import match
from cli.play import play
from cli.serve import serve
from cli.shared.console import BAD_INPUT, INTERRUPTED, Problem, plain, print_error, warn
from cli.tournament import demo, ladder, tournament
from cli.watch import export, replay, rooms, watch

_UsageError: Final = typer.BadParameter.__mro__[2]
"""The class of all errors in a command line; typer has it from click, under changing names."""

app = typer.Typer(
    name="doublecross",
    help="Dots and Boxes over the network: a server, players, bots and matches between them.",
    epilog="Start with: doublecross demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
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
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which one.")
    ] = False,
) -> None:
    pass


def _reflowed(text: str) -> str:
    """A docstring with its paragraphs in one line each, for terminals of any width."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


for _command in (
    demo.demo,
    play.play,
    serve.serve,
    bot.bot,
    match.match,
    ladder.ladder,
    arena.arena,
    sprt.sprt,
    rooms.rooms,
    watch.watch,
    replay.replay,
    analyse.analyse,
    export.export,
    stats.stats,
    lists.games,
    lists.bots,
):
    app.command(help=_reflowed(_command.__doc__ or ""))(_command)


app.add_typer(tournament.app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, 1 for a failure on the way, 2 for what
    cannot be done as asked, 130 after Ctrl-C."""
    code = _run(None if arguments is None else list(arguments))
    if code == INTERRUPTED:
        warn("Stopped.")
    return code


def _run(arguments: list[str] | None) -> int:
    try:
        result = app(args=arguments, prog_name="doublecross", standalone_mode=False)
        sys.stdout.flush()
    except Problem as problem:
        print_error(problem.sentence)
        return problem.code
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has seen enough. Python would print_error once more
        # when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except typer.Exit as done:
        return done.exit_code
    except Exception as error:
        if not isinstance(error, _UsageError):
            raise
        _usage(error)
        return BAD_INPUT
    return result if isinstance(result, int) else 0


def _usage(error: Exception) -> None:
    """One sentence about a wrong command line, and where to read more."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "doublecross"
    text = getattr(error, "format_message", lambda: str(error))()
    if type(error).__name__ == "NoArgsIsHelpError":
        return  # the help has been printed
    text = plain(text).rstrip(".")
    print_error(f"{text}{'' if text.endswith('?') else '.'} See: {path} --help")


if __name__ == "__main__":
    sys.exit(main())
