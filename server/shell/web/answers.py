"""The answers of the HTTP interface, as the OpenAPI document describes them.

The server builds answers as plain dicts, which is faster. The tests check real answers with these
models.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from doublecross.protocol.common import MatchSettings, Phrase, TournamentTerms
from doublecross.protocol.lobby_messages import EntrantState, LobbyRoom
from doublecross.protocol.review_messages import ReviewReport
from doublecross.protocol.room_events import BoardState

Ms = Annotated[int, Field(ge=0, description="milliseconds since 1970, UTC")]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
Title = Annotated[str, Field(description="the game and its size, for people")]
Numbers = Annotated[list[int], Field(min_length=2, max_length=2)]
Next = Annotated[
    str | None, Field(description="the address of the next page; null: this is the last one")
]


class HttpAnswer(BaseModel):
    """Base of all answers."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class ErrorAnswer(HttpAnswer):
    """The reason why a request was refused."""

    error: str = Field(description="a sentence for people")
    phrase: Phrase | None = Field(default=None, description="what translations of it need")
    code: str | None = Field(default=None, description="a stable name of the reason, if it has one")


class ReviewFigures(HttpAnswer):
    """The work of the workers that review games: what waits, and what was done since the start."""

    workers: int
    waiting: int = Field(description="games that wait for a worker")
    working: int = Field(description="games that are being judged")
    made: int = Field(description="reviews that were made")
    failed: int
    seconds: float = Field(description="how long the reviews took that were made, together")


class HealthReport(HttpAnswer):
    """The health of the server. More fields may follow."""

    model_config = ConfigDict(extra="allow")

    status: Literal["ok", "failing"]
    problem: str = Field(description="what is wrong, in a sentence; empty: nothing")
    epoch: str = Field(description="different after every start of the server")
    uptime_s: float
    connections: int
    players: int = Field(description="the players who are connected")
    rooms: int
    commits: int
    events: int
    failed_commits: int
    storage: str = Field(description="`ok`, or why nothing can be stored")
    tasks: dict[str, str] = Field(description="the state of each part of the server")
    stalls_ms: int = Field(description="how long the server has stood still since its start")
    reviews: ReviewFigures


class Readiness(HttpAnswer):
    """The readiness of the server for new connections and rooms."""

    ready: bool
    reason: str = Field(description="why not, in a sentence; empty: it does")


class Metrics(HttpAnswer):
    """Figures for monitoring; not JSON."""


class Rooms(HttpAnswer):
    """The newest open rooms."""

    rooms: list[LobbyRoom]
    total: int = Field(description="how many public rooms are open")


class UsualWait(HttpAnswer):
    """How long people waited lately until somebody accepted their seeks for a match."""

    settings: MatchSettings
    median_ms: int = Field(ge=0)


class Waits(HttpAnswer):
    """The usual waits for the matches that were sought at least three times lately."""

    waits: list[UsualWait]


class GameInPlay(HttpAnswer):
    """A game in play. Lists of two are by seat."""

    room: str
    players: Pair
    opening: list[int]
    moves: list[int] = Field(description="the actions after the opening")
    movers: str = Field(description="the seat that made each of these moves, such as 0110")
    scores: Numbers
    to_move: int | None
    board: BoardState


class GameSummary(HttpAnswer):
    """A finished game without its moves. Lists of two are by seat."""

    id: str
    room: str
    match: int = Field(description="the number of the match in its room, from 1")
    game: str
    size: str
    title: Title
    players: Pair
    engines: Pair = Field(description="the bots' engines; empty for people")
    rated: bool
    time_control: str
    started_ms: Ms
    finished_ms: Ms
    termination: str
    result: str
    winner: int | None
    scores: Numbers
    plies: int


class Games(HttpAnswer):
    """A page of finished games."""

    games: list[GameSummary]
    next: Next


class LastBoard(HttpAnswer):
    """The last position of a finished game."""

    id: str
    game: str
    params: dict[str, int]
    board: BoardState
    drawers: str = Field(
        description="a character for each action: the seat that played it, or `.` for nobody"
    )


class Boards(HttpAnswer):
    """The last positions of finished games, and games in play."""

    boards: list[LastBoard]
    live: list[GameInPlay]


class GameAnswer(GameSummary):
    """A finished game with its moves."""

    params: dict[str, int]
    opening: list[int]
    moves: list[int]
    clock_ms: list[int | None] = Field(description="the mover's time left after each move")
    record: str


class StoredReport(HttpAnswer):
    """The report of a game."""

    report: ReviewReport | None = Field(description="null: none is stored")


class KeyAnswer(HttpAnswer):
    """A public key (Ed25519) with which the server signs records, or has signed them."""

    id: str = Field(description='the name of the key in records, as in `[SignedBy "..."]`')
    public: str = Field(description="its 32 bytes in Base64")
    since_ms: Ms
    until_ms: Ms | None = Field(description="when it was replaced; null: it is in use")


class Keys(HttpAnswer):
    """All public keys of the server, newest first; empty if it does not sign."""

    keys: list[KeyAnswer]


class RatingAnswer(HttpAnswer):
    """A rating (Glicko-2) in one game and size, as of now."""

    player: str
    engine: str
    game: str
    size: str
    title: Title
    rating: float
    deviation: float
    interval: Annotated[list[float], Field(min_length=2, max_length=2)] = Field(
        description="the 95 % confidence interval"
    )
    provisional: bool
    games: int
    at_ms: Ms


class RatingCourse(RatingAnswer):
    """A rating with its history."""

    history: list[list[float]] = Field(
        description="pairs: time in milliseconds since 1970, and the rating after that game"
    )
    deviations: list[float] = Field(description="the deviation after each game of `history`")


class PlayerAnswer(HttpAnswer):
    """A player."""

    name: str
    kind: Literal["human", "bot"]
    engine: str
    online: bool
    created_ms: Ms
    ratings: list[RatingCourse]


class TallyAnswer(HttpAnswer):
    """How games ended for a player."""

    won: int
    drawn: int
    lost: int


class OpponentTally(TallyAnswer):
    """The games against one player."""

    name: str


class OpeningTally(TallyAnswer):
    """The games that began with the same moves, up to the symmetries of the board."""

    moves: list[str]


class PoolTally(TallyAnswer):
    """The games of one kind on one size."""

    game: str
    size: str
    title: Title
    openings: list[OpeningTally] = Field(description="the usual ones first")


class ProfileAnswer(HttpAnswer):
    """The sums of a player's last public games."""

    games: int = Field(description="how many games these are")
    opponents: list[OpponentTally] = Field(description="those of most games first")
    pools: list[PoolTally]


class Pool(HttpAnswer):
    """A game and size that has ratings."""

    game: str
    size: str
    title: Title
    ratings: int = Field(description="how many players have one")


class Ratings(HttpAnswer):
    """The best players of one game and size, or all games and sizes."""

    ratings: list[RatingAnswer] | None = None
    pools: list[Pool] | None = None


class TournamentSummary(HttpAnswer):
    """A tournament without its players and games."""

    id: str
    name: str
    format: str
    status: Literal["open", "running", "finished", "cancelled"]
    owner: str
    terms: TournamentTerms | None = Field(description="null: they cannot be read, see `problem`")
    title: Title
    problem: str
    created_ms: Ms
    started_ms: Ms | None
    finished_ms: Ms | None
    plays: bool = Field(description="whether the `player` of the request is in it, and it goes on")


class Tournaments(HttpAnswer):
    """A page of tournaments."""

    tournaments: list[TournamentSummary]
    total: int = Field(description="how many tournaments pass the filters")
    next: Next


class PairingAnswer(HttpAnswer):
    """A game pair of a tournament."""

    number: int
    round: int
    players: list[str | None]
    opening: list[int]
    state: str


class TournamentGame(HttpAnswer):
    """A finished game of a tournament. Lists of two are by seat."""

    id: str
    pair: int
    game: int
    attempt: int
    players: Pair
    engines: Pair
    winner: int | None
    result: str
    scores: Numbers
    termination: str
    plies: int
    moves: Numbers
    thought_ms: Numbers
    longest_ms: Numbers
    started_ms: Ms
    finished_ms: Ms


class LiveGame(HttpAnswer):
    """A game of a tournament that is in play."""

    room: str
    pair: int
    game: int
    attempt: int
    players: Pair
    to_move: str | None = Field(
        description="by days: whose turn it is; null: unknown, or another time control"
    )
    left_ms: int | None = Field(description="by days: how long this player has left for the move")


class LadderCurve(HttpAnswer):
    """The rating of a player of a ladder after some of its game pairs, oldest first."""

    player: str
    engine: str
    points: list[Annotated[list[float], Field(description="UNIX milliseconds and the rating")]]


class TournamentAnswer(TournamentSummary):
    """A tournament with its players, pairings and games."""

    entrants: list[EntrantState]
    games_played: int
    games_planned: int | None
    next_ms: int | None = Field(
        description="when it starts by itself, or its next round begins, in UNIX milliseconds"
    )
    ends_ms: int | None = Field(description="when an arena ends; null before its start")
    next_season: str | None = Field(
        description="the running season of a ladder of which this is an earlier one"
    )
    curves: list[LadderCurve] = Field(description="of the best players of a ladder")
    pairings: list[PairingAnswer]
    games: list[TournamentGame]
    live: list[LiveGame] = Field(description="the games in play, which anybody may watch")
    cursor: str = Field(
        description="for `since` in a later request; empty when the tournament is not in play"
    )
    games_before: int = Field(
        description="how many games `since` leaves out at the start of `games`"
    )
    pairings_before: int = Field(
        description="how many pairings `since` leaves out at the start of `pairings`"
    )


class Table(HttpAnswer):
    """A table as CSV; not JSON."""


class Records(HttpAnswer):
    """Records as text; not JSON."""


class ReportFile(HttpAnswer):
    """A report file of FIDE as text; not JSON."""


class Picture(HttpAnswer):
    """A picture of a game; not JSON."""


class WireSchema(HttpAnswer):
    """A JSON Schema."""

    model_config = ConfigDict(extra="allow")


class OpenApi(HttpAnswer):
    """An OpenAPI document."""

    model_config = ConfigDict(extra="allow")

    openapi: str
