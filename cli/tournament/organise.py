"""The commands of an organiser: create, start and end a tournament, exclude players."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from doublecross.cli.shared.console import Problem, say, warn
from doublecross.cli.shared.options import AsJson, GameName, Server, Size
from doublecross.cli.shared.parsing import (
    DEFAULT_GAME,
    DEFAULT_SERVER,
    check_player_name,
    check_tournament,
    game_of,
    settings_of,
)
from doublecross.cli.shared.remote.secret import TokenFileOption, given_token
from doublecross.cli.shared.report.formatting import count
from doublecross.cli.shared.times import moment, moment_of
from doublecross.cli.tournament.options import (
    PAIRS,
    Clock,
    Format,
    Id,
    Organiser,
    check_format,
    pairs_of,
    print_json,
    refusal,
    visit,
)
from doublecross.cli.tournament.show import describe

if TYPE_CHECKING:
    from doublecross.client.transport import Client
    from doublecross.protocol.common import Anchor, TieBreakKey
    from doublecross.protocol.server_messages import TournamentState

Player = Annotated[str, typer.Argument(metavar="PLAYER", help="The player.", show_default=False)]


def create(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The name that people see.", show_default=False)
    ],
    server: Server = DEFAULT_SERVER,
    kind: Format = "round-robin",
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    time: Clock = "10+0.1",
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs",
            "-n",
            min=1,
            help="Game pairs when two players meet.",
            show_default=f"{PAIRS}, by days 1",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="Rounds of a Swiss tournament, or all game pairs of a ladder."),
    ] = None,
    hero: Annotated[
        str | None, typer.Option(help="The player who meets everybody in a gauntlet.")
    ] = None,
    invite: Annotated[
        str | None,
        typer.Option(help="Players who may join, with commas between them.", show_default="all"),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="ID", help="Invite the best of this tournament."),
    ] = None,
    top: Annotated[int, typer.Option(min=2, max=200, help="How many --from invites.")] = 8,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER=RATING", help="A player of a ladder whose rating is fixed, repeatable."
        ),
    ] = None,
    people: Annotated[bool, typer.Option("--people", help="Let people join too.")] = False,
    phrases: Annotated[
        bool, typer.Option(help="Let opponents say quick phrases to each other.")
    ] = True,
    late: Annotated[bool, typer.Option("--late", help="Let players join after the start.")] = False,
    casual: Annotated[bool, typer.Option("--casual", help="Do not rate the games.")] = False,
    starts_at: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help='When it starts by itself, such as 19:30 or "2027-01-31 19:30".',
            show_default="when you start it",
        ),
    ] = None,
    round_time: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=90 * 24 * 60,
            metavar="MINUTES",
            help="Minutes from the start of a round to that of the next one (Swiss, knockout).",
            show_default="a round follows at once",
        ),
    ] = None,
    minutes: Annotated[
        int | None, typer.Option(min=1, max=720, help="How long an arena lasts.")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(help="Bots of the server that fill in, with commas between them."),
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=2, max=200, help="Up to how many players the bots fill in.")
    ] = None,
    tie_breaks: Annotated[
        str,
        typer.Option(
            help="What decides between equal points, in this order: net, buchholz,"
            " sonneborn-berger; or none."
        ),
    ] = "net",
    patience: Annotated[
        int, typer.Option(min=1, help="Exclude a player after so many failed games in a row.")
    ] = 3,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the openings.")] = None,
    organiser: Organiser = None,
    token_file: TokenFileOption = None,
    as_json: AsJson = False,
) -> None:
    """Open a tournament that others can join. Start it when they have joined.

    Example: doublecross tournament create Spring --size 5x5 --pairs 10 --time 10+0.1
    """
    from doublecross.protocol.common import TournamentTerms

    check_format(kind)
    settings = settings_of(game_of(game, size), time, rated=not casual)
    invited = None if invite is None else _names(invite)
    who = _who(organiser, token_file)
    if source is not None:
        if invited is not None:
            raise Problem("--from invites the best players; leave --invite out.")
        best = _ask(server, who, lambda client: client.tournaments.get(check_tournament(source)))
        invited = tuple(each.player for each in best.entrants if each.state == "in")[:top]
    try:
        terms = TournamentTerms(
            name=name,
            format=kind,  # type: ignore[arg-type]
            settings=settings,
            pairs=pairs_of(kind, 1 if pairs is None and settings.time.by_days else pairs),
            rounds=rounds,
            hero=hero,
            invited=invited,
            anchors=_anchors(anchor or []),
            people=people,
            phrases=phrases,
            late=late,
            tie_breaks=_tie_breaks(tie_breaks),
            starts_ms=None if starts_at is None else moment_of(starts_at, _now()),
            length_ms=None if minutes is None else minutes * 60_000,
            bots=_names(bots or ""),
            fill=players,
            round_ms=None if round_time is None else round_time * 60_000,
            patience=patience,
            seed=seed,
        )
    except ValueError as error:
        raise refusal(error) from None
    state = _ask(server, who, lambda client: client.tournaments.create(terms))
    if as_json:
        print_json(state)
        return
    say(f"Tournament {state.tournament} is open: {describe(terms)}.")
    if state.note:
        warn(state.note)
    there = _there(server)
    say(f"Let a bot join: doublecross tournament join {state.tournament} BOT{there}")
    mine = "" if organiser is None else f" --as {shlex.quote(organiser)}"
    if token_file is not None:
        mine = f" --token-file {shlex.quote(str(token_file))}"
    if terms.starts_ms is not None:
        say(f"It starts by itself at {moment(terms.starts_ms)}.")
    early = "" if terms.starts_ms is None else " earlier"
    say(f"Start it{early}: doublecross tournament start {state.tournament}{there}{mine}")


def _names(text: str) -> tuple[str, ...]:
    """Return the names between commas."""
    return tuple(filter(None, map(str.strip, text.split(","))))


def start(
    tournament: Id,
    server: Server = DEFAULT_SERVER,
    organiser: Organiser = None,
    token_file: TokenFileOption = None,
) -> None:
    """Start a tournament that you created.

    Example: doublecross tournament start t7c2k3p4q
    """
    state = _ask(
        server, _who(organiser, token_file), lambda client: client.tournaments.start(tournament)
    )
    planned = "" if state.games_planned is None else f", {count(state.games_planned, 'game')}"
    say(f"{state.terms.name} has started: {count(state.entrants_total, 'player')}{planned}.")


def end(
    tournament: Id,
    server: Server = DEFAULT_SERVER,
    organiser: Organiser = None,
    token_file: TokenFileOption = None,
) -> None:
    """End a tournament that you created. No new games begin; finished games count.

    Example: doublecross tournament end t7c2k3p4q
    """
    state = _ask(
        server, _who(organiser, token_file), lambda client: client.tournaments.end(tournament)
    )
    say(f"{state.terms.name} has ended after {count(state.games_played, 'game')}.")


def season(
    tournament: Id,
    reset: Annotated[bool, typer.Option("--reset", help="Let all ratings begin anew.")] = False,
    server: Server = DEFAULT_SERVER,
    organiser: Organiser = None,
    token_file: TokenFileOption = None,
) -> None:
    """End the season of a ladder without an end that you created, and begin the next one.

    Example: doublecross tournament season t7c2k3p4q
    """
    state = _ask(
        server,
        _who(organiser, token_file),
        lambda client: client.tournaments.next_season(tournament, keep=not reset),
    )
    players = count(state.entrants_total, "player")
    say(f"The next season of {state.terms.name} is {state.tournament}, with {players}.")


def aside(
    tournament: Id,
    player: Player,
    reason: Annotated[str, typer.Option(help="The reason, which everybody sees.")] = "",
    server: Server = DEFAULT_SERVER,
    organiser: Organiser = None,
    token_file: TokenFileOption = None,
) -> None:
    """Exclude a player from further games of a tournament that you created.

    Example: doublecross tournament aside t7c2k3p4q greedy --reason "out of order"
    """
    _ask(
        server,
        _who(organiser, token_file),
        lambda client: client.tournaments.set_aside(tournament, player, reason),
    )
    say(f"{player} gets no more games.")


def back(
    tournament: Id,
    player: Player,
    server: Server = DEFAULT_SERVER,
    organiser: Organiser = None,
    token_file: TokenFileOption = None,
) -> None:
    """Let a player play again who was excluded from a tournament that you created.

    Example: doublecross tournament back t7c2k3p4q greedy
    """
    state = _ask(
        server,
        _who(organiser, token_file),
        lambda client: client.tournaments.take_back(tournament, player),
    )
    entrant = next((e for e in state.entrants if e.player.casefold() == player.casefold()), None)
    if entrant is None or entrant.online:
        say(f"{player} plays again.")
        return
    say(f"{entrant.player} is taken back, but is offline, and gets games when it is here again.")
    if entrant.engine:
        named = f" --name {shlex.quote(entrant.player)}"
        say(f"Start the bot: doublecross tournament join {tournament} BOT{named}{_there(server)}")


def _anchors(given: list[str]) -> tuple[Anchor, ...]:
    """Return the players and ratings in ``rules=1500``."""
    from doublecross.protocol.common import Anchor

    found = []
    for text in given:
        player, _, rating = text.rpartition("=")
        try:
            found.append(Anchor(player=player, rating=float(rating)))
        except ValueError:
            raise Problem(f"--anchor takes PLAYER=RATING, like rules=1500, not {text}.") from None
    return tuple(found)


def _now() -> datetime:
    return datetime.now().astimezone()


def _tie_breaks(text: str) -> tuple[TieBreakKey, ...]:
    """Return the tie-breaks in ``buchholz,net``."""
    from doublecross.protocol.common import TieBreakKey

    keys = get_args(TieBreakKey)
    given = tuple(filter(None, map(str.strip, text.split(","))))
    if given == ("none",):
        return ()
    if not given or not set(given) <= set(keys):
        raise Problem(f"--tie-breaks takes some of {', '.join(keys)}, or none, not {text}.")
    return cast("tuple[TieBreakKey, ...]", given)


def _there(server: str) -> str:
    """Return the option that names the server, for a command that the user can copy."""
    return "" if server == DEFAULT_SERVER else f" --server {server}"


@dataclass(frozen=True, slots=True)
class _Who:
    """The organiser: the owner of `token`, or the player `name` (None: the usual one)."""

    name: str | None
    token: str | None = field(default=None, repr=False)


def _who(name: str | None, file: Path | None) -> _Who:
    """Return who organises. A name that is asked for beats the variable with a token."""
    if name is None:
        return _Who(None, given_token(file))
    if file is not None:
        raise Problem("The token decides the name; use --token-file or --as, not both.")
    check_player_name(name)
    return _Who(name)


def _ask(
    server: str, who: _Who, request: Callable[[Client], Awaitable[TournamentState]]
) -> TournamentState:
    """Return the answer to a request of the organiser."""
    from doublecross.client.core.errors import RequestRefused
    from doublecross.protocol.errors import ErrorCode

    async def ask(client: Client) -> TournamentState:
        try:
            return await request(client)
        except RequestRefused as refused:
            if refused.code != ErrorCode.NOT_YOURS or who != _Who(None):
                raise
            raise Problem(f"{refused} With a name of your own, add --as NAME.") from None

    return visit(server, ask, "organiser", who.name, who.token)
