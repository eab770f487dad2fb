"""Let a bot join a server as a player, and print how it goes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import (
    FAILED,
    Problem,
    live_area,
    out,
    print_error,
    say,
    user_problems,
    warn,
)
from doublecross.cli.shared.remote.secret import given_token
from doublecross.processes.logs import quiet_logs

if TYPE_CHECKING:
    from doublecross.bots.runner import GameResult, RunnerConfig, RunnerReport
    from doublecross.protocol.server_messages import TournamentState

PATIENCE_S: Final = 2.0
"""Seconds that a bot waits for a server that does not answer yet."""
_LOG_BYTES: Final = 1_000_000


def bot_token(file: Path | None, player: str | None) -> str | None:
    """Return the token of the bot's account, or None if it plays without one."""
    if player is None:
        return given_token(file)
    if file is not None:
        raise Problem("The token decides the name; use --token-file or --name, not both.")
    # A variable holds for many commands, and this one asks for another player.
    return None


def run_and_print(
    config: RunnerConfig,
    *,
    verbose: bool,
    log_folder: Path | None = None,
    reload: Callable[[], RunnerConfig] | None = None,
) -> int:
    """Let a bot play until it is done, and print its games; return the exit code.

    A terminal also shows how it stands, below everything else; SIGUSR1 prints that anywhere. Games
    and failures are also in ``bot.log`` in `log_folder`. `reload` reads the settings again at
    SIGHUP. It may raise a `Problem`; the bot then goes on as before.
    """
    from doublecross.bots.runner import Runner
    from doublecross.bots.runner.tasks import on_signals

    def show(*_: object) -> None:
        if draw is not None:
            draw(runner.status())

    def print_game(result: GameResult) -> None:
        _print_game(result)
        show()

    def printing(config: RunnerConfig) -> RunnerConfig:
        # A bot in a tournament reports that it has entered it.
        ready = _print_ready if config.tournament is None else None
        return replace(
            config,
            on_ready=ready,
            on_began=show,
            on_game=print_game,
            on_entered=_print_entered,
            keeps_output=log_folder is not None,
        )

    def read_again() -> None:
        if in_terminal and not sys.stdin.isatty():
            runner.stop()  # the terminal is gone
            return
        assert reload is not None
        try:
            runner.reload(printing(reload()))
            say("The settings are read.")
        except Problem as problem:
            print_error(f"{problem.sentence} The settings stay as they were.", problem.trace)

    async def run() -> RunnerReport:
        handlers = {"SIGUSR1": lambda: say(runner.status())}
        with on_signals(handlers if reload is None else {**handlers, "SIGHUP": read_again}):
            return await runner.run()

    in_terminal = sys.stdin.isatty()
    # Logs go to the standard error of the area in the terminal, and so above it.
    with live_area() if out().is_terminal else contextlib.nullcontext() as draw:
        quiet_logs(verbose)
        if log_folder is not None:
            _log_to(log_folder)
        try:
            with user_problems():
                runner = Runner(printing(config))
                report = asyncio.run(run())
        except ValueError as error:  # a malformed address or name
            raise Problem(str(error)) from None
    _print_summary(report)
    return FAILED if report.problem else 0


def _log_to(folder: Path) -> None:
    """Write what the runner logs to ``bot.log`` in `folder`, and keep four older files.

    Raises:
        Problem: the folder or the file cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(
            folder / "bot.log", maxBytes=_LOG_BYTES, backupCount=4, encoding="utf-8"
        )
    except OSError as error:
        raise Problem(f"{folder} cannot be written: {(error.strerror or '').lower()}.") from None
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    for shown in logging.getLogger().handlers:
        shown.setLevel(logging.getLogger().level)
    logger = logging.getLogger("doublecross.bots")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def _print_ready(name: str) -> None:
    say(f"{name} has joined the server.")


def _print_entered(name: str, state: TournamentState) -> None:
    how = "has started" if state.status == "running" else "has not started yet"
    say(f"{name} has joined {state.terms.name}, which {how}. It plays until the tournament ends.")


def _print_game(result: GameResult) -> None:
    from doublecross.cli.shared.board import game_name

    say(f"{game_name(result.settings)} in room {result.room}: {result}")


def _print_summary(report: RunnerReport) -> None:
    if report.games:
        failed = f", {report.failures} moves failed" if report.failures else ""
        say(f"{report.name}: +{report.won} ={report.drawn} -{report.lost}{failed}", "bold")
    if report.problem:
        warn(report.problem)
