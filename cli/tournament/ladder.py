"""Play a tournament of bots on this machine and report it: `doublecross ladder`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import (
    BAD_INPUT,
    FAILED,
    INTERRUPTED,
    Problem,
    is_terminal,
    live_area,
    out,
    say,
    user_problems,
    warn,
)
from doublecross.cli.shared.openings import (
    Openings,
    OpeningsFile,
    check_openings,
    find_openings,
    read_openings,
)
from doublecross.cli.shared.options import (
    CsvFile,
    EngineLog,
    GameName,
    JsonFile,
    RecordsFile,
    ReportFile,
    Size,
    bot_argument,
)
from doublecross.cli.shared.parsing import (
    DEFAULT_GAME,
    game_of,
    need_server_packages,
    settings_of,
    spec_of,
)
from doublecross.cli.shared.report.formatting import count
from doublecross.cli.tournament.options import PAIRS, Clock, Format, check_format, pairs_of, refusal
from doublecross.cli.tournament.show import describe, show, table_of
from doublecross.processes.logs import quiet_logs
from doublecross.server.data_folder import data_folder

if TYPE_CHECKING:
    from rich.console import RenderableType

    from doublecross.bots.hosting.ladder import LadderOutcome, LadderRun
    from doublecross.bots.hosting.server_thread import RunningServer
    from doublecross.bots.registry import BotSpec
    from doublecross.cli.tournament.results import ResultFiles
    from doublecross.games.api import Game
    from doublecross.protocol.common import TournamentTerms
    from doublecross.protocol.server_messages import TournamentState
    from doublecross.stats.summary import Summary

_STEPS: Final = 10
"""The number of progress lines that a ladder prints without a terminal."""
_LONGEST_TITLE: Final = 64
_MOST_OPENING_MOVES: Final = 2000
"""More would not fit into the one message that opens the tournament."""
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_.+'-]+")


def ladder(
    bots: Annotated[
        list[str],
        bot_argument("At least two bots, such as rules mcts:simulations=500.", "BOT..."),
    ],
    kind: Format = "round-robin",
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    time: Clock = "10+0.1",
    pairs: Annotated[
        int | None,
        typer.Option(
            "--pairs", "-n", help="Game pairs when two bots meet.", show_default=str(PAIRS)
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="Rounds of a Swiss tournament, or all game pairs of a ladder."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the openings.")] = 1,
    openings: OpeningsFile = None,
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", "-c", min=1, help="Games at once.", show_default="cores"),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            help="Folder of its database; with the same folder it continues.",
            show_default="ladder in the data folder",
        ),
    ] = None,
    report: ReportFile = None,
    csv: CsvFile = None,
    json: JsonFile = None,
    log: EngineLog = None,
    records: RecordsFile = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the logs of the server and the bots.")
    ] = False,
) -> int:
    """Let bots play a tournament on a server that is started for it, and report the result.

    Each bot runs in a process of its own. By default as many games run at once as this machine has
    cores; with more, bots would lose on time. Ctrl-C stops the tournament, and the same command
    continues it.

    Example: doublecross ladder random greedy rules --pairs 20 --size 5x5 --report ladder.html
    """
    from doublecross.bots.registry import parse_spec
    from doublecross.cli.tournament.results import ResultFiles

    need_server_packages()
    files = ResultFiles(report, json, csv, records)
    files.check()
    board = game_of(game, size)
    terms, contenders = plan(
        bots, board, kind, time, pairs, rounds, seed, concurrency or os.cpu_count() or 1
    )
    listed = _listed(openings, board)
    specs = map(parse_spec, contenders.values())
    check_openings(specs, listed or find_openings(board, 1, seed)[0])
    summary = run_ladder(
        terms,
        contenders,
        folder or data_folder() / "ladder",
        files,
        verbose=verbose,
        openings=listed,
    )
    return INTERRUPTED if summary is None else 0


def _listed(file: Path | None, game: Game) -> Openings:
    """Return the openings in `file`; none without a file."""
    from doublecross.protocol.tournament_requests import MOST_OPENINGS

    openings = read_openings(file, game)
    moves = sum(map(len, openings))
    if len(openings) > MOST_OPENINGS or moves > _MOST_OPENING_MOVES:
        raise Problem(
            f"A ladder takes up to {MOST_OPENINGS} openings with {_MOST_OPENING_MOVES} moves in"
            f" all, but {file} has {len(openings)} with {moves}."
        )
    return openings


def plan(
    bots: Sequence[str],
    game: Game,
    kind: str,
    time: str,
    pairs: int | None,
    rounds: int | None,
    seed: int,
    at_once: int,
) -> tuple[TournamentTerms, dict[str, str]]:
    """Return the terms of a ladder, and the specs of its bots by their names in it."""
    from doublecross.protocol.common import TournamentTerms

    check_format(kind)
    if len(bots) < 2:
        raise Problem("A tournament needs at least two bots.")
    contenders: dict[str, str] = {}
    for text in bots:
        spec = spec_of(text, game)
        contenders[_name(spec, contenders)] = str(spec)
    if kind == "swiss" and rounds is None:
        raise Problem("A Swiss tournament needs a number of --rounds.")
    if kind == "arena":
        raise Problem("An arena is played on a server: open it with doublecross tournament create.")
    if kind == "ladder" and rounds is None:
        raise Problem(
            "A ladder needs a number of game pairs after which it ends: set it with --rounds."
        )
    if kind == "ladder" and pairs is not None:
        raise Problem(
            "In a ladder two bots meet for one pair at a time: use --rounds, not --pairs."
        )
    if kind not in ("swiss", "ladder") and rounds is not None:
        raise Problem(f"The number of rounds of a {kind.replace('-', ' ')} follows from its bots.")
    try:
        terms = TournamentTerms(
            name=_title(tuple(contenders)),
            format=kind,  # type: ignore[arg-type]
            settings=settings_of(game, time, rated=True),
            pairs=pairs_of(kind, pairs),
            rounds=rounds,
            hero=next(iter(contenders)) if kind == "gauntlet" else None,
            invited=tuple(contenders),
            games_at_once=at_once,
            seed=seed,
        )
    except ValueError as error:
        raise refusal(error) from None
    return terms, contenders


def _title(names: Sequence[str]) -> str:
    """Return the title of a ladder: its bots, if they are few."""
    title = ", ".join(names)
    return title if len(title) <= _LONGEST_TITLE else count(len(names), "bot")


def _name(spec: BotSpec, taken: dict[str, str]) -> str:
    """Return the name of a bot in a ladder: its own, and its options, as a valid player name."""
    from doublecross.bots.registry import FAMILIES, player_name_of

    module, _, name = spec.name.rpartition(":")
    if not module or spec.name.partition(":")[0] in FAMILIES:
        name = player_name_of(spec.name)
    text = str(replace(spec, name=name))
    base = _NOT_IN_NAMES.sub(" ", text).strip(" .'-")[:29].strip(" .'-") or "bot"
    folded = {name.casefold() for name in taken}
    for number in range(1, 100):
        name = base if number == 1 else f"{base} {number}"
        if name.casefold() not in folded:
            return name
    raise Problem(f"There are too many bots like {spec}.")


def run_ladder(
    terms: TournamentTerms,
    contenders: dict[str, str],
    folder: Path,
    files: ResultFiles,
    *,
    verbose: bool = False,
    on_started: Callable[[str], None] = lambda address: None,
    server: RunningServer | None = None,
    openings: Openings = (),
) -> Summary | None:
    """Play the ladder to its end with a live table, print its report and write `files`.

    `on_started` gets the address of the server's page. `server` is one that runs already on the
    database ``ladder.db`` in `folder`. Without `openings` the seed of the terms gives them.

    Returns:
        The summary of the games; None after Ctrl-C.
    """
    from doublecross.bots.hosting.ladder import LadderFailed, LadderListener, LadderRun
    from doublecross.cli.shared.report.terminal import print_summary
    from doublecross.cli.tournament.results import summary_of

    quiet_logs(verbose)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(f"The folder {folder} cannot be made: {error.strerror}.") from None
    screen = _LadderDisplay(f"{count(len(contenders), 'bot')}, {describe(terms)}")
    run = LadderRun(
        terms,
        contenders,
        folder,
        listener=LadderListener(on_started, screen.show, warn),
        fetch=_fetched,
        verbose=verbose,
        server=server,
        openings=openings,
    )
    try:
        with screen.showing(), user_problems():
            outcome = asyncio.run(_stoppable(run))
    except LadderFailed as failed:
        raise Problem(str(failed), FAILED if failed.midway else BAD_INPUT) from None
    except (KeyboardInterrupt, asyncio.CancelledError):
        if screen.state is not None:
            show(screen.state)
            warn("The same command continues from here.")
        return None
    if screen.state is not None:
        say()
    summary = summary_of(outcome.results)
    print_summary(out(), summary)
    files.write(summary, "", outcome.records)
    return summary


def _fetched(http: str, tournament: str) -> LadderOutcome:
    from doublecross.bots.hosting.ladder import LadderOutcome
    from doublecross.cli.tournament.results import fetch_tournament, fetch_tournament_records

    return LadderOutcome(
        fetch_tournament(http, tournament), fetch_tournament_records(http, tournament)
    )


async def _stoppable(run: LadderRun) -> LadderOutcome:
    """Run the ladder; SIGTERM ends it as Ctrl-C does."""
    me = asyncio.current_task()
    assert me is not None
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    return await run.run()


class _LadderDisplay:
    """Shows the progress: a live table in a terminal, otherwise a line now and then."""

    def __init__(self, about: str) -> None:
        self.state: TournamentState | None = None
        self._about = about
        self._draw: Callable[[RenderableType], None] | None = None
        self._steps_shown = -1
        self._before = 0
        self._began: tuple[float, int] | None = None

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """Show the table inside this context, if there is a terminal for it."""
        if not is_terminal():
            yield
            return
        with live_area() as self._draw:
            yield
        self._draw = None

    def show(self, state: TournamentState, now: float) -> None:
        """Show the state at `now`, in seconds of any clock."""
        first, self.state = self.state is None, state
        if first:
            say(f"{self._about}.")
        # Measure time from the first game that ends: before that the bots get ready.
        if first:
            self._before = state.games_played
        elif self._began is None and state.games_played > self._before:
            self._began = now, state.games_played
        line = self._line(state, now)
        if self._draw is not None:
            from rich.console import Group

            self._draw(Group(line, table_of(state)))
            return
        if first and state.status == "open":
            warn(line, "dim")
        planned = state.games_planned or 0
        step = state.games_played * _STEPS // planned if planned else 0
        if step > self._steps_shown and state.status == "running" and step < _STEPS:
            self._steps_shown = step
            warn(line, "dim")

    def _line(self, state: TournamentState, now: float) -> str:
        if state.status == "open":
            there, invited = state.entrants_total, len(state.terms.invited or ())
            return f"The bots get ready: {there} of {invited} have joined ..."
        planned = state.games_planned
        if planned is None:
            return count(state.games_played, "game")
        text = f"{state.games_played} of {count(planned, 'game')}"
        if self._began is not None:
            began, before = self._began
            done, left = state.games_played - before, planned - state.games_played
            if done >= 2 and left and now > began:
                text += f", about {_span(left * (now - began) / done)} left"
        return text


def _span(seconds: float) -> str:
    """Return a time for people, such as ``40 s``, ``7 min`` or ``2 h 5 min``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
