"""The settings of a server. Each is declared here, and nowhere else.

A declaration has a name, a type with its limits, a default, and a docstring for hosts. The command
`serve` makes its options, the checks of files and variables, and `--show-settings` from them;
``python -m doublecross.cli.settings`` writes the tables in docs/hosting.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

from doublecross.protocol.version import DEFAULT_PORT
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.core.terms import RoomTimes
from doublecross.server.data_folder import data_folder
from doublecross.server.shell.addresses.admission import Action, AddressLimits, Rate
from doublecross.server.shell.addresses.nodes import NodeAddress, node_addresses
from doublecross.server.shell.addresses.origins import Origins, origins_of
from doublecross.server.shell.addresses.sources import Sources, networks
from doublecross.server.shell.analysis.reviews import KEPT
from doublecross.server.shell.identity.mail import EMAIL, MailAccount, Security
from doublecross.server.shell.push import PushAccount, push_account, read_key, services_of

PREFIX: Final = "DOUBLECROSS_"
"""The beginning of the variables with settings, such as ``DOUBLECROSS_PORT``."""
MOST: Final = 10**12
"""The largest number that a setting can be. Milliseconds of larger ones would not fit a message."""
HIDDEN: Final = "***"
"""The text that is shown in place of a password."""


@dataclass(frozen=True, slots=True)
class About:
    """Say what the type of a setting does not say.

    `option` has the names of its option, between blanks, and `metavar` is what the help shows for a
    value. `heading` begins a group of settings. `like` says in words which texts fit the pattern.
    A `separator` lets the setting be a list in a file, or an option that is repeated. `secrets` are
    patterns: what they find behind their group 1 is a password.
    """

    option: str = ""
    metavar: str = ""
    heading: str = ""
    like: str = ""
    separator: str = ""
    secrets: tuple[str, ...] = ()


def about(field: FieldInfo) -> About:
    """Return what the declaration of a setting says beside its type."""
    return next((each for each in field.metadata if isinstance(each, About)), About())


def default_of(field: FieldInfo) -> Any:
    """Return the default of a setting; None if it has none, or one that depends on the machine."""
    return None if field.default_factory else field.default


def _readable(read: Callable[[str], object]) -> AfterValidator:
    """Return a check of texts: `read` raises a ValueError with a sentence for wrong ones."""

    def check(text: str) -> str:
        read(text)
        return text

    return AfterValidator(check)


def _check_for_cluster(value: Any, info: ValidationInfo) -> Any:
    assert info.field_name is not None
    # A file of all settings, as `--show-settings` prints it, has the defaults.
    default = ServerSettings.model_fields[info.field_name].default
    if value != default and info.data.get("cluster") is False:
        raise ValueError(
            "it is for the nodes of a cluster; add --cluster, or leave this setting out"
        )
    return value


def _check_events(path: Path | None) -> Path | None:
    # Only a server with events needs what this imports.
    from doublecross.server.tournaments.event_file import EventFileError, read_events

    if path is not None:
        try:
            read_events(path)
        except EventFileError as error:
            raise ValueError(str(error)) from None
    return path


def _check_push_key(path: Path | None) -> Path | None:
    if path is not None:
        # Only a server with a key needs what this imports.
        from doublecross.server.signing.keys import KeyFileError

        try:
            read_key(path)
        except KeyFileError as error:
            raise ValueError(str(error)) from None
    return path


Port: TypeAlias = Annotated[int, Field(ge=0, le=65535)]
Count: TypeAlias = Annotated[int, Field(ge=1)]
NotNegative: TypeAlias = Annotated[float, Field(ge=0)]
Positive: TypeAlias = Annotated[float, Field(gt=0)]
_FOR_CLUSTER: Final = AfterValidator(_check_for_cluster)
_NATS_URL: Final = r"\s*(nats|tls)://[^/\s,]+\s*"
MetricsReaders: TypeAlias = Literal["off", "local", "all"]
"""The readers of the metrics: nobody, programs on this machine and exempt addresses, or all."""


class ServerSettings(BaseSettings):
    """The settings that a host can choose.

    They stand in the order of the documentation. Names that end in ``_s`` are times in seconds.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
        allow_inf_nan=False,
    )

    host: Annotated[str, About("--host", heading="Addresses")] = "127.0.0.1"
    """Address to listen on; `127.0.0.1`: for this machine only, `0.0.0.0`: for everybody."""
    port: Annotated[Port, About("--port")] = DEFAULT_PORT
    """Port for games, the browser page and HTTP; 0: any free port."""
    http_port: Annotated[Port | None, About("--http-port")] = None
    """[Another port](#one-port-or-two) for HTTP and the page; 0: any free port. If it is not set,
    they are at `port` too."""
    public_http: Annotated[
        str | None,
        About("--public-http", like="a web address such as https://games.example.org"),
        Field(pattern=r"^https?://[^/\s]"),
    ] = None
    """HTTP address for clients, if a proxy is in front of the server. It may have a path."""
    base_path: Annotated[
        str,
        About("--base-path", like="a path such as /games"),
        Field(pattern=r"^(/[A-Za-z0-9._~-]+)*$"),
    ] = ""
    """Path below which a proxy asks this server, if it passes the path on."""
    trusted_proxy: Annotated[
        str, About("--trusted-proxy", "CIDR,...", separator=","), _readable(networks)
    ] = ""
    """Addresses or networks of [proxies](security.md#addresses) in front of the server, such as
    `127.0.0.1`. Their X-Forwarded-For then names the visitors."""
    tls_certificate: Annotated[Path | None, About("--tls-certificate")] = None
    """File of a certificate (PEM); the server then [encrypts itself](#the-servers-own-tls)."""
    # Validated even when it is left out, because a certificate needs it.
    tls_key: Annotated[Path | None, About("--tls-key"), Field(validate_default=True)] = None
    """File of the private key of the certificate."""
    allowed_origins: Annotated[str, About(separator=","), _readable(origins_of)] = ""
    """[Other sites](security.md#pages-of-other-sites) whose pages may play here, such as
    `https://example.org`; `*`: all."""

    database: Annotated[
        str,
        About(
            "--database",
            heading="Database and page",
            secrets=(r"(://[^:@/]*:).*(?=@)", r"((?i:password)[^=&]*=)[^&]*"),
        ),
    ] = Field(default_factory=lambda: str(data_folder() / "doublecross.db"))
    """SQLite file, or a [URL](#the-database) such as `postgresql://host/name`. If it is not
    set, it is `doublecross.db` in the [data folder](#the-data-folder)."""
    events: Annotated[Path | None, AfterValidator(_check_events)] = None
    """File of [events](#events): tournaments at fixed times of the week."""
    signing_key: Path | None = None
    """File of the keys with which records are [signed](#signed-records)."""
    page: Path | None = None
    """Folder of the browser page, if it shall not be the program's own."""
    page_reload: bool = False
    """Read the files of the page again for each visit, while you change them."""

    grace_s: Annotated[NotNegative, About("--grace", heading="Rooms")] = 30.0
    """Seconds after which the opponent of an absent player may claim the win."""
    rated_accounts_only: bool = False
    """Let only accounts play rated matches, and guests from exempt addresses."""
    talk: bool = False
    """Let players talk to each other in rooms, and spectators, in their own words."""
    first_move_s: Positive = 30.0
    """Time for a person's first move, while no clock runs; then the match is called off."""
    tournament_first_move_s: Positive = 60.0
    """Time for a person's first move in a tournament, and for absent players to come to their game
    if a tournament waits for nobody else; then the game is lost."""
    restart_s: NotNegative = 30.0
    """Time for which clocks stand still after a restart, or until their player comes back."""
    away_s: NotNegative = 300.0
    """Time before a room closes in which nobody is."""
    linger_s: NotNegative = 600.0
    """Time for a rematch after a match."""
    join_s: NotNegative = 1800.0
    """Time to take the free seat of a room."""
    room_idle_s: Positive = 86_400.0
    """Time before a match without a clock ends in which nobody moves (a casual one with a bot: 3
    days at least), and before a room closes whose match is over; 86400 is a day."""
    max_rooms: Count = 20_000
    """Rooms that are open at once; in a cluster, for each node that runs rooms."""
    max_rooms_per_player: Count = 256
    """Rooms of one player."""

    absence_s: Annotated[NotNegative, About(heading="Tournaments")] = 600.0
    """Time before a tournament that waits for an absent player sets them aside."""
    idle_s: Positive = 604_800.0
    """Time before a tournament ends that nobody starts or plays; 604800 is a week."""

    session_days: Annotated[Positive, About(heading="Accounts")] = 90.0
    """Days before a login with a password ends that nobody uses."""
    guesses_per_name: Count = 10
    """Wrong passwords for one name; they come back within ten minutes."""
    max_passwords: Count = 32
    """Passwords that are hashed or wait for it."""

    smtp_host: Annotated[str | None, About(heading="Mail"), Field(min_length=1)] = None
    """SMTP server that takes [mails](#mail) for others; needs `smtp_sender` and `public_http`."""
    smtp_port: Port = 587
    """Its port."""
    smtp_security: Security = "starttls"
    """`starttls`, `tls` (often at port 465), or `none` for a server on this machine."""
    smtp_user: str | None = None
    """Name with which to log in there."""
    smtp_password_file: Path | None = None
    """File of its password."""
    smtp_sender: Annotated[
        str | None,
        About(like="an e-mail address such as games@example.org"),
        Field(pattern=EMAIL, validate_default=True),
    ] = None
    """Address from which mails come."""

    push_key: Annotated[Path | None, About(heading="Push"), AfterValidator(_check_push_key)] = None
    """File of the key for [pushes](#push), which tell players of their turns while no page is open;
    needs `smtp_sender`, or `public_http` with https."""
    push_services: Annotated[str, About(separator=","), _readable(services_of)] = (
        "fcm.googleapis.com,push.services.mozilla.com,push.apple.com,notify.windows.com"
    )
    """Hosts of the push services that the server may call, and all hosts below them."""

    bots: Annotated[str, About("--bots", "BOT,BOT,...", heading="Bots", separator=";")] = ""
    """Bots that always play here, such as `rules,greedy:seed=3`."""
    bot_games: Annotated[int, About("--bot-games"), Field(ge=1, le=256)] = 8
    """How many games each of these bots plays at once."""
    bot_games_each: Annotated[int, Field(ge=1, le=256)] = 2
    """How many of these games are with the same player."""
    bot_seeks_after_s: Annotated[float, Field(ge=0, le=3600)] = 3.0
    """Seconds before the first of these bots that is free accepts a person's seek; 0: never."""
    bot_pause: Annotated[float, About("--bot-pause"), Field(ge=0, le=10)] = 1.2
    """The most seconds that these bots pause before moves against people; 0: no pause."""

    no_advice: Annotated[bool, About("--no-advice/--advice", heading="Advice and reviews")] = False
    """Give no [advice](#advice) to people on the browser page."""
    analysis: Annotated[int | None, About("--analysis"), Field(ge=0, le=64)] = None
    """How many processes [review](#reviews) finished games; 0: none. If it is not set: 1 with two
    processor cores and the extra `engines`, otherwise none."""
    max_questions: Count = 8
    """Questions about positions (`/api/values`, `/api/policy`) that wait at once."""
    reviews_kept: Count = KEPT
    """How many reports of games stay in the database."""

    hello_s: Annotated[Positive, About(heading="Connections")] = 10.0
    """Time for the first message of a new connection."""
    silence_s: Positive = 60.0
    """Time before a connection ends that says nothing."""
    stop_s: NotNegative = 5.0
    """Time for clients to disconnect when the server stops."""
    messages_per_s: Positive = 500.0
    """Messages of one player on average, over all connections."""
    burst: Count = 500
    """Messages of one player at once, over all connections."""
    turn_ms: Annotated[float, Field(gt=0, le=100)] = 1.0
    """Milliseconds that handshakes, long writes and long answers of all together take before
    everything else gets as much."""
    max_connections: Count = 10_000
    """Open websockets."""
    write_buffer_kib: Count = 1024
    """KiB of unread messages before a slow client is disconnected."""
    send_buffer_kib: Count = 128
    """KiB that the system keeps of what was sent to one connection."""
    unsent_kib: Count = 16
    """KiB of these that have not left the machine, on Linux and macOS."""
    http_connections: Count = 512
    """Open HTTP connections."""
    http_request_s: Positive = 10.0
    """Time in which a whole HTTP request must arrive."""

    exempt_addresses: Annotated[
        str, About(heading="Limits for one address", separator=","), _readable(networks)
    ] = "127.0.0.0/8,::1"
    """Addresses or networks without these limits; an empty text exempts nobody."""
    connections_per_address: Count = 512
    """Open websockets."""
    http_connections_per_address: Count = 64
    """Open HTTP connections."""
    unread_kib_per_address: Count = 16_384
    """KiB of unread messages, and of unread answers over HTTP, before slow clients are
    disconnected."""
    new_connections_per_minute: Count = 600
    """New websockets."""
    handshakes_per_minute: Count = 1200
    """Handshakes of TLS, where the server encrypts itself."""
    logins_per_minute: Count = 600
    """Logins."""
    passwords_per_minute: Count = 20
    """Passwords that are tried or set; as many wrong codes of classes besides."""
    mails_per_hour: Count = 10
    """Mails that are asked for; as many to one e-mail address."""
    new_names_per_hour: Count = 120
    """New names."""
    new_rooms_per_minute: Count = 120
    """New rooms."""
    records_per_minute: Count = 300
    """Records and reports over the websocket."""
    reviews_per_hour: Count = 120
    """New reviews."""
    bot_games_per_address: Count = 4
    """Games at once with each bot that always plays here."""
    questions_per_address: Count = 2
    """Questions about positions that wait at once."""
    pages_per_minute: Count = 600
    """Answers of `/api` over HTTP."""
    files_per_minute: Count = 12_000
    """Files of the browser page; a first visit has thirty, or 170 if the page is not bundled."""

    # Fields are validated in their order, so this one stands before the others for clusters.
    cluster: Annotated[bool, About("--cluster/--no-cluster", heading="Cluster")] = False
    """Be one node of a cluster, which needs PostgreSQL and NATS."""
    nats: Annotated[
        str,
        About(
            "--nats",
            "URL,...",
            like="a URL such as nats://host:4222, or tls://host:4222 for an encrypted connection",
            separator=",",
            secrets=(r"(://)[^/,]*(?=@)",),
        ),
        Field(pattern=rf"^{_NATS_URL}(,{_NATS_URL})*$"),
        _FOR_CLUSTER,
    ] = "nats://127.0.0.1:4222"
    """URLs of the NATS servers, such as `nats://user:secret@host` or `tls://host:4222`."""
    nats_credentials: Annotated[Path | None, _FOR_CLUSTER] = None
    """File of credentials for NATS, as `nsc` writes it."""
    nats_ca: Annotated[Path | None, _FOR_CLUSTER] = None
    """File of the certificates to trust for `tls://`, instead of the system's."""
    node: Annotated[
        str | None,
        About("--node", like="up to 64 letters, digits, dots, hyphens and underscores"),
        Field(pattern="^[A-Za-z0-9_.-]{1,64}$"),
        _FOR_CLUSTER,
    ] = None
    """Name of this node, the same when it starts again; no two may have the same. If it is not
    set, it is made from the machine and the port."""
    cluster_name: Annotated[
        str,
        About("--cluster-name", like="up to 64 letters, digits, hyphens and underscores"),
        Field(pattern="^[A-Za-z0-9_-]{1,64}$"),
        _FOR_CLUSTER,
    ] = "main"
    """Name of the cluster in NATS, if several clusters share it."""
    cluster_logs: Annotated[int, Field(ge=1, le=64), _FOR_CLUSTER] = 2
    """How many sets of rooms a node makes when it starts, and in how many of each node new rooms
    are opened."""
    cluster_addresses: Annotated[
        str, About(separator=","), _readable(node_addresses), _FOR_CLUSTER
    ] = ""
    """[Addresses of all nodes](#addresses-of-the-nodes) for clients, the same at each node."""

    metrics: Annotated[MetricsReaders, About(heading="Metrics and logs")] = "local"
    """Readers of `/metrics`: `off`, `local` (this machine and exempt addresses) or `all`."""
    verbose: Annotated[bool, About("--verbose/--no-verbose -v")] = False
    """Log what happens, not only warnings and errors."""
    log_format: Literal["text", "json"] = "text"
    """`json`: each line of the log is a JSON object."""
    log_level: Literal["warning", "info", "debug"] | None = None
    """`warning`, `info` or `debug`. If it is not set: `warning`, or `info` with `verbose`."""

    @field_validator("*", mode="before")
    @classmethod
    def _is_of_its_kind(cls, value: Any, info: ValidationInfo) -> Any:
        field = cls.model_fields[info.field_name or ""]
        separator = about(field).separator
        if separator and isinstance(value, list) and all(isinstance(part, str) for part in value):
            return separator.join(value)
        # Otherwise true would be the number 1.
        if isinstance(value, bool) and field.annotation is not bool:
            raise AssertionError("true or false is no value of this setting")
        return value

    @field_validator("*")
    @classmethod
    def _is_not_absurd(cls, value: Any) -> Any:
        if isinstance(value, (int, float)) and value > MOST:
            raise ValueError(f"it must be at most {MOST}")
        if isinstance(value, str) and "://" in value and HIDDEN in value:
            raise ValueError(f"{HIDDEN} stands for a password that was hidden; write the password")
        return value

    @field_validator("tls_key")
    @classmethod
    def _has_its_certificate(cls, key: Path | None, info: ValidationInfo) -> Path | None:
        # Without an entry, the certificate is wrong itself.
        if (key is None) != (info.data.get("tls_certificate", key) is None):
            raise ValueError(
                "tls_certificate and tls_key need each other; name the files of both, or of none"
            )
        return key

    @field_validator("smtp_sender")
    @classmethod
    def _has_its_server(cls, sender: str | None, info: ValidationInfo) -> str | None:
        host = info.data.get("smtp_host")
        if (sender is None) != (host is None):
            raise ValueError("smtp_host and smtp_sender need each other; set both, or none")
        # Nobody may choose the links in mails by the header Host.
        if host is not None and info.data.get("public_http") is None:
            raise ValueError("mails have links; name the address that people open with public_http")
        return sender

    @field_validator("push_key")
    @classmethod
    def _has_a_contact(cls, key: Path | None, info: ValidationInfo) -> Path | None:
        public, sender = info.data.get("public_http"), info.data.get("smtp_sender")
        if key is not None and not sender and not (public or "").startswith("https:"):
            raise ValueError(
                "push services want to know whom to ask about the server; set public_http to an"
                " address with https, or set smtp_sender"
            )
        return key

    @property
    def push(self) -> PushAccount | None:
        """What pushes need; None: the server sends none."""
        if self.push_key is None:
            return None
        contact = f"mailto:{self.smtp_sender}" if self.smtp_sender else self.public_http
        services = services_of(self.push_services)
        return push_account(self.push_key, services, contact or "")

    @property
    def mail(self) -> MailAccount | None:
        """Where mails are handed in; None: the server sends none."""
        if self.smtp_host is None or self.smtp_sender is None or self.public_http is None:
            return None
        return MailAccount(
            self.smtp_host,
            self.smtp_port,
            self.smtp_security,
            self.smtp_user,
            self.smtp_password_file,
            self.smtp_sender,
            self.public_http.rstrip("/"),
        )

    @property
    def session_ms(self) -> int:
        """How long a login with a password lasts that nobody uses, in milliseconds."""
        return round(self.session_days * 86_400_000)

    @property
    def sources(self) -> Sources:
        """The rules that find the address of a connection, also behind proxies."""
        return Sources(networks(self.trusted_proxy), networks(self.exempt_addresses))

    @property
    def is_https(self) -> bool:
        """True when people open an encrypted address."""
        public = self.public_http
        own = self.tls_certificate is not None
        return own if public is None else public.lower().startswith("https:")

    @property
    def origins(self) -> Origins:
        """The rules for pages of other sites."""
        tls = self.tls_certificate is not None
        pages = [address.origin for address in self.nodes]
        allowed = ",".join([self.allowed_origins, *pages])
        return Origins(self.sources, allowed, self.public_http, tls=tls)

    @property
    def nodes(self) -> tuple[NodeAddress, ...]:
        """The addresses of all nodes for clients; empty if the settings do not have them."""
        return node_addresses(self.cluster_addresses)

    @property
    def addresses(self) -> AddressLimits:
        """The limits for each address."""
        return AddressLimits(
            rates={
                Action.CONNECT: Rate(self.new_connections_per_minute, 60.0),
                Action.HANDSHAKE: Rate(self.handshakes_per_minute, 60.0),
                Action.LOGIN: Rate(self.logins_per_minute, 60.0),
                Action.PASSWORD: Rate(self.passwords_per_minute, 60.0),
                Action.GUESS: Rate(self.guesses_per_name, 600.0),
                Action.MAIL: Rate(self.mails_per_hour, 3600.0),
                Action.NAME: Rate(self.new_names_per_hour, 3600.0),
                Action.ROOM: Rate(self.new_rooms_per_minute, 60.0),
                Action.RECORD: Rate(self.records_per_minute, 60.0),
                Action.REVIEW: Rate(self.reviews_per_hour, 3600.0),
                Action.PAGE: Rate(self.pages_per_minute, 60.0),
                Action.FILE: Rate(self.files_per_minute, 60.0),
            },
            connections=self.connections_per_address,
            http_connections=self.http_connections_per_address,
            questions=self.questions_per_address,
            bot_games=self.bot_games_per_address,
            all_questions=self.max_questions,
            all_passwords=self.max_passwords,
        )

    @property
    def times(self) -> RoomTimes:
        """The time limits of rooms, in milliseconds."""
        return RoomTimes(
            grace_ms=round(self.grace_s * 1000),
            join_ms=round(self.join_s * 1000),
            first_move_ms=round(self.first_move_s * 1000),
            tournament_first_move_ms=round(self.tournament_first_move_s * 1000),
            away_ms=round(self.away_s * 1000),
            linger_ms=round(self.linger_s * 1000),
            restart_ms=round(self.restart_s * 1000),
            idle_ms=round(self.room_idle_s * 1000),
        )

    @property
    def unread(self) -> int:
        """The unread bytes that connections of one address may have."""
        return self.unread_kib_per_address * 1024

    @property
    def patience(self) -> Patience:
        """The times for which the server waits for a client."""
        return Patience(
            self.hello_s,
            self.silence_s,
            self.write_buffer_kib * 1024,
            self.unread,
            self.turn_ms / 1000,
        )

    @property
    def limits(self) -> ServerLimits:
        """The limits for peers and rooms."""
        return ServerLimits(
            messages_per_s=self.messages_per_s,
            burst=self.burst,
            rooms=self.max_rooms,
            rooms_per_player=self.max_rooms_per_player,
            rated_accounts_only=self.rated_accounts_only,
            talk=self.talk,
        )
