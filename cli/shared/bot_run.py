"""Let a bot join a server as a player, and print how it goes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import FAILED, Problem, say, user_problems, warn
from doublecross.cli.shared.secret import given_token
from doublecross.processes.logs import quiet_logs

if TYPE_CHECKING:
    from doublecross.bots.runner import GameResult, RunnerConfig, RunnerReport
    from doublecross.protocol.server_messages import TournamentState

PATIENCE_S: Final = 2.0
"""Seconds that a bot waits for a server that does not answer yet."""


def bot_token(file: Path | None, player: str | None) -> str | None:
    """Return the token of the bot's account, or None if it plays without one."""
    if player is None:
        return given_token(file)
    if file is not None:
        raise Problem("The token decides the name; use --token-file or --name, not both.")
    # A variable holds for many commands, and this one asks for another player.
    return None


def run_and_print(config: RunnerConfig, *, verbose: bool) -> int:
    """Let a bot play until it is done, and print its games; return the exit code."""
    from doublecross.bots.runner import run_bot

    quiet_logs(verbose)
    config = replace(
        config,
        # A bot in a tournament reports that it has entered it.
        on_ready=_print_ready if config.tournament is None else None,
        on_game=_print_game,
        on_entered=_print_entered,
    )
    try:
        with user_problems():
            report = asyncio.run(run_bot(config))
    except ValueError as error:  # a malformed address or name
        raise Problem(str(error)) from None
    _print_summary(report)
    return FAILED if report.problem else 0


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
