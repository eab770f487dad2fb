"""The questions and answers of the interface for admins, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from doublecross.protocol.common import Kind, PlayerName
from doublecross.protocol.social_messages import ReportReason
from doublecross.server.core.people.accounts import Scope
from doublecross.server.shell.web.managing.account_answers import Question

Reason = Annotated[
    str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$", description="shown to players")
]
HOURS: int = 10 * 366 * 24


class KickQuestion(Question):
    """A player whose connection ends."""

    player: PlayerName
    reason: Reason = ""


class BanQuestion(Question):
    """A player or a network to ban, exactly one of them."""

    player: PlayerName | None = None
    network: Annotated[str, Field(max_length=60)] | None = Field(
        default=None, description="an address or a network such as 192.0.2.0/24"
    )
    hours: Annotated[float, Field(gt=0, le=HOURS, strict=False)] | None = Field(
        default=None, description="null: for good"
    )
    reason: Reason = ""


class UnbanQuestion(Question):
    """A ban to lift."""

    ban_id: Annotated[str, Field(max_length=40)]


class RenameQuestion(Question):
    """Another name for a player."""

    player: PlayerName
    to: PlayerName


class CloseRoomQuestion(Question):
    """A room to close."""

    room: Annotated[str, Field(max_length=40)]
    reason: Reason = ""


class AnnounceQuestion(Question):
    """A text for all players; an empty one ends the former announcement."""

    text: Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
    minutes: Annotated[int, Field(ge=0, le=10_080)] = Field(
        default=0, description="for how long newcomers get it too; 0: only those who are here"
    )


class DrainQuestion(Question):
    """A switch: true for a server on which nothing new begins from now on."""

    on: bool


class GrantQuestion(Question):
    """A player who is an admin from now on, or is none any more."""

    player: PlayerName
    admin: bool


class PlayerQuestion(Question):
    """A player."""

    player: PlayerName


class DeletePlayerQuestion(Question):
    """A player to delete. `confirm` is the name again, exactly as it is."""

    player: PlayerName
    confirm: str
    lift_bans: bool = Field(default=False, description="whether bans of the account end too")


class BanAnswer(BaseModel):
    """A ban. One of `player` and `network` is set; times are milliseconds since 1970, UTC."""

    ban_id: str
    account_id: str | None
    player: str | None = Field(description="the name; null: a network, or the account is gone")
    network: str | None
    until_ms: int | None = Field(description="null: for good")
    reason: str
    made_ms: int
    made_by: str


class BansAnswer(BaseModel):
    """The bans that have not ended, newest first."""

    bans: list[BanAnswer]


class NewBanAnswer(BaseModel):
    """A new ban, and how many connections it has ended."""

    ban: BanAnswer
    ended: int


class NodeLine(BaseModel):
    """A node of a cluster."""

    name: str
    version: str
    leader: bool = Field(description="whether it runs the lobby and the tournaments")
    connections: int
    rooms: int
    moves: int = Field(description="a counter")


class Overview(BaseModel):
    """The figures of the server. Counters begin at its start."""

    version: str
    epoch: str
    uptime_s: float
    draining: bool
    connections: int
    players: int = Field(description="connected players")
    rooms: int
    games_in_play: int
    tournaments_running: int
    moves: int = Field(description="a counter")
    commits: int = Field(description="a counter")
    commit_p50_ms: float
    commit_p99_ms: float
    loop_lag_ms: float = Field(description="99 of 100 delays of the event loop are shorter")
    queues: dict[str, int] = Field(description="what waits now")
    limit_hits: dict[str, int] = Field(description="how often each limit refused something")
    refusals: dict[str, int] = Field(description="refused requests by error code")
    dropped: dict[str, int] = Field(description="ended connections by reason")
    bans: int
    nodes: list[NodeLine] = Field(
        default=[], description="the nodes of a cluster; empty for a single server"
    )


class ConnectedPlayer(BaseModel):
    """A connected player."""

    name: str
    account_id: str
    kind: Kind
    engine: str = Field(description="a bot's engine and version; empty for people")
    client: str
    address: str
    claimed: bool = Field(description="false: a guest")
    admin: bool = Field(description="whether this connection may manage the server")
    scopes: list[Scope]
    connected_s: float
    rooms: list[str]


class PlayersAnswer(BaseModel):
    """Connected players in the order of their names, and how many match the search."""

    players: list[ConnectedPlayer]
    total: int


class StoredPlayer(BaseModel):
    """A player, whether connected or not."""

    name: str
    account_id: str
    kind: Kind
    claimed: bool = Field(description="false: a guest")
    admin: bool
    run_by: str | None = Field(description="the name of the person who runs this bot")
    created_ms: int
    connected: bool
    email: str | None = Field(description="the confirmed e-mail address")
    second_factor: bool = Field(description="whether a login needs a code")
    bans: list[BanAnswer]


class AccountsAnswer(BaseModel):
    """Stored players in the order of their names."""

    accounts: list[StoredPlayer]


class RoomLine(BaseModel):
    """An open room."""

    room: str
    game: str
    size: str
    players: list[str | None] = Field(description="by seat; null: the seat is free")
    status: Literal["waiting", "playing", "finished", "closed"]
    ply: int
    private: bool
    tournament: str | None
    spectators: int


class RoomsAnswer(BaseModel):
    """Open rooms, newest first, and how many there are."""

    rooms: list[RoomLine]
    total: int


class ReportQuestion(Question):
    """The note of a report, and whether it is closed."""

    report_id: Annotated[str, Field(max_length=40)]
    note: Annotated[str, Field(max_length=500)] = Field(description="for admins only")
    closed: bool


class ReportLine(BaseModel):
    """What a player has reported about another one."""

    report_id: str
    reporter: str
    about: str
    reason: ReportReason
    words: str
    made_ms: int
    game_id: str | None = Field(description="the game that it is about, which may be in play")
    note: str
    closed_ms: int | None = Field(description="null: it is open")
    closed_by: str


class ReportsAnswer(BaseModel):
    """Reports, newest first, those that are open before all others."""

    reports: list[ReportLine]


class TalkLine(BaseModel):
    """Something that was said in a room; `seat` is null for a spectator."""

    name: str
    seat: int | None
    words: str
    at_ms: int


class ReportAnswer(ReportLine):
    """A report with what its reporter could hear in the game."""

    room: str | None = Field(description="the room of the game, if that is in play")
    code: str | None = Field(description="the join code of a private game")
    talk: list[TalkLine]


class AnnouncedAnswer(BaseModel):
    """How many players the announcement was sent to at once."""

    players: int


class PasswordLinkAnswer(BaseModel):
    """A link by which the player sets a password; without `public_http`, only its path."""

    link: str


class RenamedAnswer(BaseModel):
    """The name of the player now."""

    name: str


class PlayerData(BaseModel):
    """Everything that is stored about a player, except hashes."""

    player: dict[str, Any]
    account: dict[str, Any]
    tokens: list[dict[str, Any]]
    credentials: list[dict[str, Any]] = Field(description="e-mail addresses, codes and passkeys")
    pushes: list[dict[str, Any]] = Field(description="browsers that are told of turns")
    bans: list[dict[str, Any]]
    games: list[dict[str, Any]] = Field(description="with their records, private ones too")
    tournaments: list[dict[str, Any]]
    audit: list[dict[str, Any]]
    progress: dict[str, dict[str, Any]] = Field(description="what the player has learned")
    plans: list[dict[str, Any]] = Field(description="conditional moves in games in play")
    notes: list[dict[str, Any]] = Field(description="what the player noted about games")
    ties: list[dict[str, Any]] = Field(description="whom the player follows and blocks")
    talk: list[dict[str, Any]] = Field(description="what the player said in rooms")
    reports: list[dict[str, Any]] = Field(description="what the player has reported")
    reported: list[dict[str, Any]] = Field(
        description="what others have reported about the player, without who it was"
    )


class AuditLine(BaseModel):
    """Something that an admin did, or tried to do. The host has no account id."""

    number: int
    at_ms: int
    actor_id: str
    actor: str
    address: str
    action: str
    target: str
    detail: str


class AuditAnswer(BaseModel):
    """The audit log, newest first; `next` continues it as `before`, null at its end."""

    entries: list[AuditLine]
    next: int | None
