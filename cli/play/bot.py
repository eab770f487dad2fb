"""Let a bot join a server as a player: `doublecross bot`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.options import BotName, EngineLog, Verbose, bot_argument
from doublecross.cli.shared.parsing import (
    DEFAULT_GAME,
    SERVER_HELP,
    check_player_name,
    check_tournament,
)
from doublecross.cli.shared.remote.bot_run import bot_token, run_and_print
from doublecross.cli.shared.remote.secret import TokenFileOption

if TYPE_CHECKING:
    from doublecross.bots.runner import RunnerConfig
    from doublecross.bots.runner.home.reading import HomeError
    from doublecross.bots.runner.home.tables import BotHome


def bot(
    name: Annotated[
        str | None,
        bot_argument("The bot, with its options: rules, greedy:seed=3, or module:Class.", "[BOT]"),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            help="A file with the settings; make one with: doublecross bot-config.",
            show_default=False,
        ),
    ] = None,
    server: Annotated[
        str | None, typer.Option("--server", "-s", help=SERVER_HELP, show_default="this machine")
    ] = None,
    player: BotName = None,
    token_file: TokenFileOption = None,
    games: Annotated[
        int | None, typer.Option("--games", "-n", min=1, help="Leave after so many games.")
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency", "-c", min=1, max=256, help="Games at once.", show_default="4"
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="How many processes think.", show_default="1"),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--game", help="Play only this game.", show_default="all that it plays"),
    ] = None,
    sizes: Annotated[
        str | None, typer.Option(help="Accept only these sizes, such as 5x5 or 3x3-7x7.")
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(help="Accept only so many seconds on the clock, such as 10-600 or 60-."),
    ] = None,
    rated: Annotated[
        bool | None,
        typer.Option(
            "--rated/--casual", help="Accept only rated or only casual games.", show_default="both"
        ),
    ] = None,
    bots: Annotated[
        bool | None,
        typer.Option("--bots/--no-bots", help="Play against bots.", show_default="bots"),
    ] = None,
    no_takebacks: Annotated[
        bool, typer.Option("--no-takebacks", help="Let nobody take back moves.")
    ] = False,
    accept_seeks: Annotated[
        bool, typer.Option("--accept-seeks", help="Also accept open seeks of other players.")
    ] = False,
    seek: Annotated[
        str | None,
        typer.Option(help="Keep a seek open: SIZE@TIME, such as 5x5@60+1."),
    ] = None,
    tournament: Annotated[
        str | None, typer.Option(help="Play in this tournament, and leave when it has ended.")
    ] = None,
    think: Annotated[
        float | None,
        typer.Option(min=0.01, help="The most seconds for a move.", show_default="10"),
    ] = None,
    pause: Annotated[
        bool, typer.Option("--pause", help="Pause before moves, so that people can follow.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the bot's random choices.")] = None,
    wait: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="Seconds to wait for a server that does not answer yet.",
            show_default="2",
        ),
    ] = None,
    log: EngineLog = None,
    verbose: Verbose = False,
) -> int:
    """Let a bot join a server and play everybody who challenges it.

    It stays until Ctrl-C. Then it takes no new games, and leaves when its current games are over; a
    second Ctrl-C ends it at once. If it loses the connection or the server restarts, it connects
    again and continues its games.

    A file with --config can say more: several bots, whom to play, quiet hours, challenges of its
    own. Options come before the file. SIGHUP reads the file again, SIGUSR1 prints how it stands.

    The bot plays without an account. With a token it plays with that account; make both with:
    doublecross account new-bot NAME

    Example: doublecross bot rules --server 192.168.1.5 --sizes 3x3-7x7 --seek 5x5@60+1
    """
    given: dict[str, Any] = {
        "engine": None if name is None else [{"bot": name}],
        "server": server,
        "name": player,
        "token_file": token_file,
        "leave_after": games,
        "workers": workers,
        "tournament": tournament,
        "think": think,
        "pause": pause or None,
        "takebacks": False if no_takebacks else None,
        "seed": seed,
        "wait": wait,
        "seek": _seek(seek, kind or DEFAULT_GAME, bool(rated)),
        "accept": {
            "at_once": concurrency,
            "games": [f"{kind or 'any'} {sizes or ''}"] if kind or sizes else None,
            "time": time,
            "rated": rated,
            "bots": bots,
            "seeks": accept_seeks or None,
        },
    }
    if name is None and config is None:
        raise Problem("Name a bot, such as rules, or a file with --config.")
    home = _Home(config, given)
    return run_and_print(
        home.config(),
        verbose=verbose,
        log_folder=home.settings.log_folder,
        reload=None if config is None else home.reload,
    )


class _Home:
    """The settings in a file and in options, and how to read them again.

    Raises:
        Problem: they are wrong.
    """

    def __init__(self, file: Path | None, given: Mapping[str, Any]) -> None:
        self._file = file
        self._given = given
        self.settings = self._read()
        self._token = bot_token(self.settings.token_file, self.settings.name)
        if self.settings.name is not None:
            check_player_name(self.settings.name)
        if self.settings.tournament is not None:
            check_tournament(self.settings.tournament)

    def config(self) -> RunnerConfig:
        """Return the settings of the runner."""
        from doublecross.bots.runner.home.reading import HomeError, runner_config

        try:
            return runner_config(self.settings, self._token)
        except HomeError as error:
            raise self._problem(error) from None

    def reload(self) -> RunnerConfig:
        """Read the file again, and name what cannot change while the bot runs."""
        from doublecross.bots.runner.home.reading import changed_home

        old = self.settings
        self.settings, kept = changed_home(old, self._read())
        try:
            config = self.config()
        except Problem:
            self.settings = old
            raise
        if kept:
            warn(f"These keys change only when the bot starts again: {', '.join(kept)}.")
        return config

    def _read(self) -> BotHome:
        from doublecross.bots.runner.home.reading import HomeError, read_home

        try:
            return read_home(self._file, _without_none(self._given))
        except HomeError as error:
            raise self._problem(error) from None

    def _problem(self, error: HomeError) -> Problem:
        """Return `error` for the user, who knows the keys only from a file."""
        sentence = error.reason if self._file is None else f"{self._file}: {error}"
        return Problem(sentence, trace=error.trace)


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are given, those in tables too."""
    deep = {k: _without_none(v) if isinstance(v, dict) else v for k, v in values.items()}
    return {key: value for key, value in deep.items() if value not in (None, {})}


def _seek(text: str | None, kind: str, rated: bool) -> dict[str, Any] | None:
    if text is None:
        return None
    size, at, time = text.partition("@")
    if not (size and at and time):
        raise Problem(f"{text!r} is not a seek; write SIZE@TIME, such as 5x5@60+1.")
    return {"game": f"{kind} {size} {time}", "rated": rated}
