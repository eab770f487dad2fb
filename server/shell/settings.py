"""The settings of a server; the command `serve` adds those of its bots, advice and reviews."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import Field, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from doublecross.protocol.version import DEFAULT_PORT
from doublecross.server.core.limits import Patience, ServerLimits
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.addresses.admission import Action, AddressLimits, Rate
from doublecross.server.shell.addresses.nodes import NodeAddress, node_addresses
from doublecross.server.shell.addresses.origins import Origins, origins_of
from doublecross.server.shell.addresses.sources import Sources, networks
from doublecross.server.shell.analysis.reviews import KEPT

NATS: Final = "nats://127.0.0.1:4222"
"""The URL of NATS for the nodes of a cluster, unless the host names another one."""

MetricsReaders: TypeAlias = Literal["off", "local", "all"]
"""The readers of the metrics: nobody, programs on this machine and exempt addresses, or all."""


class ServerSettings(BaseSettings):
    """The settings that a host can choose.

    Fields that end in ``_s`` are in seconds. Port 0 means any free port. Environment variables have
    the prefix ``DOUBLECROSS_``, such as ``DOUBLECROSS_PORT``.
    """

    model_config = SettingsConfigDict(env_prefix="DOUBLECROSS_", frozen=True, extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(default=DEFAULT_PORT, ge=0, le=65535)
    http_port: int | None = Field(
        default=None, ge=0, le=65535, description="a port for HTTP alone; None: the port of games"
    )
    public_http: str | None = Field(
        default=None, description="HTTP address for clients, where a proxy hides the server's own"
    )
    tls_certificate: Path | None = Field(
        default=None, description="file of a certificate, with which the server encrypts itself"
    )
    # Validated even when it is left out, because a certificate needs it.
    tls_key: Path | None = Field(
        default=None, validate_default=True, description="file of the key of the certificate"
    )
    allowed_origins: str = Field(
        default="",
        description="other sites, between commas, whose pages may use this server; *: all",
    )
    page: Path | None = Field(default=None, description="folder of the browser page")
    page_reload: bool = Field(
        default=False,
        description="serve the files of the page as they are, and read them again for each visit, "
        "while you change it",
    )
    database: str = "var/doublecross.db"
    signing_key: Path | None = Field(
        default=None, description="file of the keys with which records are signed"
    )
    grace_s: float = Field(default=30.0, ge=0, description="absence before a win may be claimed")
    restart_s: float = Field(default=30.0, ge=0, description="clocks stand still after a restart")
    away_s: float = Field(default=300.0, ge=0, description="before an empty room closes")
    linger_s: float = Field(default=600.0, ge=0, description="time for a rematch after a match")
    join_s: float = Field(default=1800.0, ge=0, description="time to take the free seat")
    room_idle_s: float = Field(
        default=86_400.0, gt=0, description="before a room closes in which nobody moves"
    )
    absence_s: float = Field(
        default=600.0, ge=0, description="before a tournament sets an absent player aside"
    )
    idle_s: float = Field(
        default=604_800.0, gt=0, description="before a tournament ends that nobody starts or plays"
    )
    hello_s: float = Field(default=10.0, gt=0, description="time for the hello of a new connection")
    session_days: float = Field(
        default=90.0, gt=0, description="before a login with a password ends that nobody uses"
    )
    silence_s: float = Field(default=60.0, gt=0, description="before a silent peer is dropped")
    stop_s: float = Field(default=5.0, ge=0, description="time for peers to disconnect at the end")
    messages_per_s: float = Field(default=500.0, gt=0)
    burst: int = Field(default=500, gt=0)
    max_rooms: int = Field(default=20_000, gt=0)
    max_rooms_per_player: int = Field(default=256, gt=0)
    max_connections: int = Field(default=10_000, gt=0)
    trusted_proxy: str = Field(
        default="",
        description="addresses or networks of proxies, between commas, whose X-Forwarded-For "
        "names the visitor",
    )
    exempt_addresses: str = Field(
        default="127.0.0.0/8,::1",
        description="addresses or networks, between commas, without limits per address",
    )
    connections_per_address: int = Field(default=512, gt=0)
    new_connections_per_minute: int = Field(default=600, gt=0, description="from one address")
    handshakes_per_minute: int = Field(default=1200, gt=0, description="of TLS, from one address")
    logins_per_minute: int = Field(default=600, gt=0, description="from one address")
    passwords_per_minute: int = Field(default=20, gt=0, description="from one address")
    new_names_per_hour: int = Field(default=120, gt=0, description="from one address")
    new_rooms_per_minute: int = Field(default=120, gt=0, description="from one address")
    records_per_minute: int = Field(default=300, gt=0, description="from one address")
    reviews_per_hour: int = Field(default=120, gt=0, description="new ones, from one address")
    reviews_kept: int = Field(default=KEPT, gt=0, description="reports of games in the database")
    pages_per_minute: int = Field(default=600, gt=0, description="HTTP, from one address")
    files_per_minute: int = Field(
        default=12_000, gt=0, description="of the browser page, from one address"
    )
    http_connections: int = Field(default=512, gt=0)
    http_connections_per_address: int = Field(default=64, gt=0)
    http_request_s: float = Field(default=10.0, gt=0, description="time for a whole HTTP request")
    write_buffer_kib: int = Field(default=1024, gt=0, description="before a slow peer is dropped")

    # Fields are validated in their order, so this one stands before those for clusters.
    cluster: bool = Field(default=False, description="be a node of a cluster")
    nats: str = Field(
        default=NATS, description="URLs of the NATS servers of a cluster, between commas"
    )
    nats_credentials: Path | None = Field(
        default=None, description="file of credentials for NATS, as nsc writes it"
    )
    nats_ca: Path | None = Field(
        default=None, description="file of the certificates to trust for tls:// URLs of NATS"
    )
    node: str | None = Field(
        default=None, description="name of this process; None: its machine and its port"
    )
    cluster_name: str = Field(default="main", description="name of the cluster in NATS")
    cluster_logs: int = Field(
        default=2, ge=1, le=64, description="logs that this process makes when it starts"
    )
    cluster_addresses: str = Field(
        default="",
        description="addresses of all nodes for clients, between commas, the same at each node",
    )

    metrics: MetricsReaders = Field(
        default="local",
        description="who may read /metrics: off, local (this machine and exempt addresses) or all",
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="a line of the log: words for people, or a JSON object"
    )
    log_level: Literal["warning", "info", "debug"] | None = Field(
        default=None, description="what the log has; None: warning, or info with --verbose"
    )

    @field_validator("nats")
    @classmethod
    def _are_nats_urls(cls, text: str) -> str:
        for url in text.split(","):
            if not re.fullmatch(r"(nats|tls)://[^/\s]+", url.strip()):
                raise ValueError(
                    "each URL must be like nats://host:4222, or like tls://host:4222 for an"
                    " encrypted connection"
                )
        return text

    @field_validator("node", "cluster_name")
    @classmethod
    def _is_short_name(cls, text: str | None, info: ValidationInfo) -> str | None:
        letters = r"[\w.-]{1,64}" if info.field_name == "node" else r"[\w-]{1,64}"
        if text is not None and not re.fullmatch(letters, text, re.ASCII):
            dots = ", dots" if info.field_name == "node" else ""
            raise ValueError(
                f"it must have up to 64 letters, digits{dots}, hyphens and underscores"
            )
        return text

    @field_validator("cluster_addresses")
    @classmethod
    def _are_nodes(cls, text: str) -> str:
        node_addresses(text)
        return text

    @field_validator(
        *("nats", "nats_credentials", "nats_ca", "node", "cluster_name", "cluster_logs"),
        "cluster_addresses",
    )
    @classmethod
    def _is_for_a_cluster(cls, value: Any, info: ValidationInfo) -> Any:
        if info.field_name is None or "cluster" not in info.data or info.data["cluster"]:
            return value
        # A file of all settings, as `--show-settings` prints it, has the defaults.
        if value != cls.model_fields[info.field_name].default:
            raise ValueError(
                "it is for the nodes of a cluster; add --cluster, or leave this setting out"
            )
        return value

    @field_validator("public_http")
    @classmethod
    def _is_web_address(cls, text: str | None) -> str | None:
        if text is not None and not re.match(r"https?://[^/\s]+", text):
            raise ValueError("it must be a web address such as https://games.example.org")
        return text

    @field_validator("trusted_proxy", "exempt_addresses")
    @classmethod
    def _are_networks(cls, text: str) -> str:
        networks(text)
        return text

    @field_validator("allowed_origins")
    @classmethod
    def _are_origins(cls, text: str) -> str:
        origins_of(text)
        return text

    @field_validator("tls_key")
    @classmethod
    def _has_its_certificate(cls, key: Path | None, info: ValidationInfo) -> Path | None:
        if "tls_certificate" not in info.data:
            return key  # the certificate is wrong itself
        certificate = info.data["tls_certificate"]
        if key is None and certificate is not None:
            raise ValueError(
                "it is not set, although tls_certificate is; name the file of the private key"
            )
        if key is not None and certificate is None:
            raise ValueError(
                "tls_certificate is not set; name the file of the certificate of this key too"
            )
        return key

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
                Action.NAME: Rate(self.new_names_per_hour, 3600.0),
                Action.ROOM: Rate(self.new_rooms_per_minute, 60.0),
                Action.RECORD: Rate(self.records_per_minute, 60.0),
                Action.REVIEW: Rate(self.reviews_per_hour, 3600.0),
                Action.PAGE: Rate(self.pages_per_minute, 60.0),
                Action.FILE: Rate(self.files_per_minute, 60.0),
            },
            connections=self.connections_per_address,
            http_connections=self.http_connections_per_address,
        )

    @property
    def times(self) -> RoomTimes:
        """The time limits of rooms, in milliseconds."""
        return RoomTimes(
            grace_ms=round(self.grace_s * 1000),
            join_ms=round(self.join_s * 1000),
            away_ms=round(self.away_s * 1000),
            linger_ms=round(self.linger_s * 1000),
            restart_ms=round(self.restart_s * 1000),
            idle_ms=round(self.room_idle_s * 1000),
        )

    @property
    def patience(self) -> Patience:
        """The times for which the server waits for a client."""
        return Patience(self.hello_s, self.silence_s, self.write_buffer_kib * 1024)

    @property
    def limits(self) -> ServerLimits:
        """The limits for peers and rooms."""
        return ServerLimits(
            messages_per_s=self.messages_per_s,
            burst=self.burst,
            rooms=self.max_rooms,
            rooms_per_player=self.max_rooms_per_player,
        )
