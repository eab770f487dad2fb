"""The commands on one player: name, password, rights, tokens, stored data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from doublecross.cli.admin.asking import Player, Yes, confirm, confirm_name
from doublecross.cli.admin.reach import Reach, managing
from doublecross.cli.shared.console import Problem, say
from doublecross.cli.shared.files import STANDARD_OUTPUT, check_file, write_file
from doublecross.cli.shared.parsing import check_player_name
from doublecross.cli.shared.remote.secret import warn_open_road
from doublecross.cli.shared.report.formatting import count


@managing
def rename(
    at: Reach,
    player: Player,
    to: Annotated[str, typer.Argument(metavar="NEW", help="A free name.", show_default=False)],
    yes: Yes = False,
) -> None:
    """Give a player another name, in finished games too. Rights, rating and games stay.

    The player must not sit in an unfinished game or tournament, and has to connect again.

    Example: doublecross admin rename Bob Robert
    """
    check_player_name(player)
    check_player_name(to)
    confirm(f"Rename {player} to {to}?", yes=yes)
    found = at.patient().post("rename", player=player, to=to)
    say(f"{player} is {found['name']} now.")


@managing
def password(at: Reach, player: Player, yes: Yes = False) -> None:
    """Make a link by which a player who has lost the password sets a new one.

    The former password and all logins of the player end. The link counts once, within a day: give
    it only to the player.

    Example: doublecross admin password Ann
    """
    check_player_name(player)
    address = at.connect().address
    warn_open_road(address)
    confirm(f"End the password and all logins of {player}?", yes=yes)
    link = at.post("password", player=player)["link"]
    say(f"All logins of {player} have ended. With this link the player sets a new password:")
    say(link if "://" in link else f"{address.partition(',')[0]}{link}")


@managing
def end_second_factor(at: Reach, player: Player, yes: Yes = False) -> None:
    """Ask a player who has lost phone and recovery codes for no codes at logins any more.

    Be sure that it is the player who asks: the password alone logs in then.

    Example: doublecross admin end-second-factor Ann
    """
    check_player_name(player)
    confirm(f"Let {player} log in with the password alone?", yes=yes)
    at.post("end-second-factor", player=player)
    say(f"{player} logs in with the password alone now.")


@managing
def grant(
    at: Reach,
    player: Player,
    off: Annotated[bool, typer.Option("--off", help="Take the right back.")] = False,
    yes: Yes = False,
) -> None:
    """Make a player an admin, who may manage the server and all tournaments.

    Example: doublecross admin grant Ann
    """
    check_player_name(player)
    asked = f"Is {player} no admin any more?" if off else f"Make {player} an admin?"
    confirm(asked, yes=yes)
    at.post("grant", player=player, admin=not off)
    say(f"{player} is no admin any more." if off else f"{player} is an admin now.")


@managing
def end_tokens(at: Reach, player: Player, yes: Yes = False) -> None:
    """End all logins and API tokens of a player, and their connections.

    Example: doublecross admin end-tokens Ann
    """
    check_player_name(player)
    confirm(f"End all logins and tokens of {player}?", yes=yes)
    at.post("end-tokens", player=player)
    say(f"All logins and tokens of {player} have ended.")


@managing
def player_data(
    at: Reach,
    player: Player,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file to write, which only you can read."
        ),
    ],
) -> None:
    """Write everything that is stored about a player to a file, as JSON.

    Private games are in it, but no passwords and no tokens.

    Example: doublecross admin player-data Ann --output ann.json
    """
    from doublecross.client.private import write_private

    check_player_name(player)
    check_file(output)
    found = at.patient().get("player-data", player=player)
    text = json.dumps(found, indent=1) + "\n"
    if output == STANDARD_OUTPUT:
        write_file(output, [text])
        return
    try:
        write_private(output, text)
    except OSError as error:
        raise Problem(f"{output} cannot be written: {error.strerror}.") from None
    say(f"Wrote the data of {player} to {output}: {count(len(found['games']), 'game')}.")


@managing
def delete_player(
    at: Reach,
    player: Player,
    lift_bans: Annotated[
        bool, typer.Option("--lift-bans", help="Lift the bans of the account too.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Delete a player. The games stay for the opponents, under a name without meaning.

    Account, password and tokens go, and the name is free again. Save the data before with:
    doublecross admin player-data

    Example: doublecross admin delete-player Ann
    """
    check_player_name(player)
    confirm_name(f"This cannot be undone. Type the name {player} to delete it", player, yes=yes)
    found = at.patient().post("delete-player", player=player, confirm=player, lift_bans=lift_bans)
    say(f"{player} is deleted. Finished games name {found['name']}.")
