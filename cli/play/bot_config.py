"""Write a file with the settings of a bot: `doublecross bot-config`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from doublecross.cli.shared.console import Problem, say
from doublecross.cli.shared.files import check_file, write_file
from doublecross.cli.shared.options import BotName
from doublecross.cli.shared.parsing import DEFAULT_SERVER, SERVER_HELP, check_player_name
from doublecross.cli.shared.remote.secret import TokenFileOption, token_in

_FILE: Final = Path("mybot.toml")


def bot_config(
    file: Annotated[Path, typer.Argument(help="The file to write.")] = _FILE,
    server: Annotated[
        str | None, typer.Option("--server", "-s", help=SERVER_HELP, show_default="this machine")
    ] = None,
    bot: Annotated[
        str | None, typer.Option(help="The bot, with its options.", show_default="rules")
    ] = None,
    player: BotName = None,
    token_file: TokenFileOption = None,
    games: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            help="A game that it accepts, such as 'dots-and-boxes 3x3-7x7'; may be repeated.",
            show_default="all that it plays",
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Ask nothing; use the defaults.")
    ] = False,
) -> None:
    """Write a file with the settings of a bot, for doublecross bot --config.

    It asks for what no option says. Comments in the file explain all other settings.

    Example: doublecross bot-config carla.toml --bot mybot:Careful --name Carla --yes
    """
    from doublecross.bots.runner.home.reading import HomeError, read_home, runner_config
    from doublecross.bots.runner.home.text import home_text

    def ask(question: str, default: str = "") -> str:
        if yes:
            return default
        return str(typer.prompt(question, default=default, show_default=bool(default))).strip()

    if file.exists():
        raise Problem(f"{file} exists already; name another file, or remove it.")
    check_file(file)
    server = server or ask("Address of the server", DEFAULT_SERVER)
    bot = bot or ask("Bot, such as rules or mybot:Careful", "rules")
    if token_file is None and player is None:
        token = ask("File with the token of the bot's account; empty: it plays as a guest")
        token_file = Path(token) if token else None
    if token_file is not None and player is not None:
        raise Problem("The token decides the name; use --token-file or --name, not both.")
    if token_file is not None:
        token_in(token_file)
        if file.absolute().parent != Path.cwd():
            token_file = token_file.expanduser().absolute()
    elif player is None:
        player = ask("Name on the server; empty: that of the bot") or None
    if player is not None:
        check_player_name(player)
    games = games or ask("Games and sizes, with commas; empty: all that it plays").split(",")
    accepted = [game.strip() for game in games if game.strip()]
    values: dict[str, Any] = {"server": server, "engine": [{"bot": bot}]}
    values |= {"name": player} if player else {}
    values |= {"token_file": str(token_file)} if token_file else {}
    values |= {"accept": {"games": accepted}} if accepted else {}
    try:
        runner_config(read_home(None, values), None)
    except HomeError as error:
        raise Problem(error.reason, trace=error.trace) from None
    write_file(file, [home_text(values)])
    say(f"{file} has the settings; its comments explain more.")
    say(f"Start the bot with: doublecross bot --config {shlex.quote(str(file))}")
