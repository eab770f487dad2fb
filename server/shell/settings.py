"""The settings of a server, from the command line or environment variables DOUBLECROSS_*."""

from __future__ import annotations

from typing import Final

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from protocol.version import DEFAULT_PORT
from server.core.limits import ServerLimits
from server.core.terms import RoomTimes

DEFAULT_HTTP_PORT: Final = 8766


class ServerSettings(BaseSettings):
    """The settings that a host can choose.

    Fields that end in ``_s`` are in seconds. Port 0 means any free port. Environment variables have
    the prefix ``DOUBLECROSS_``, such as ``DOUBLECROSS_PORT``.
    """

    model_config = SettingsConfigDict(env_prefix="DOUBLECROSS_", frozen=True, extra="ignore")

    host: str = "127.0.0.1"
    port: int = Field(default=DEFAULT_PORT, ge=0, le=65535)
    http_port: int = Field(default=DEFAULT_HTTP_PORT, ge=0, le=65535)
    public_http: str | None = Field(
        default=None, description="HTTP address for clients, where a proxy hides the server's own"
    )
    database: str = "var/doublecross.db"
    grace_s: float = Field(default=30.0, ge=0, description="absence before a win may be claimed")
    restart_s: float = Field(default=30.0, ge=0, description="clocks stand still after a restart")
    away_s: float = Field(default=300.0, ge=0, description="before an empty room closes")
    linger_s: float = Field(default=600.0, ge=0, description="time for a rematch after a match")
    join_s: float = Field(default=1800.0, ge=0, description="time to take the free seat")
    absence_s: float = Field(
        default=600.0, ge=0, description="before a tournament sets an absent player aside"
    )
    idle_s: float = Field(
        default=604_800.0, gt=0, description="before a tournament ends that nobody starts or plays"
    )
    hello_s: float = Field(default=10.0, gt=0, description="time for the hello of a new connection")
    silence_s: float = Field(default=60.0, gt=0, description="before a silent peer is dropped")
    stop_s: float = Field(default=5.0, ge=0, description="time for peers to disconnect at the end")
    messages_per_s: float = Field(default=500.0, gt=0)
    burst: int = Field(default=500, gt=0)
    max_rooms: int = Field(default=20_000, gt=0)
    max_rooms_per_player: int = Field(default=256, gt=0)
    max_connections: int = Field(default=10_000, gt=0)
    admins: str = Field(
        default="", description="players, between commas, who may manage everybody's tournaments"
    )
    write_buffer_kib: int = Field(default=1024, gt=0, description="before a slow peer is dropped")

    @property
    def admin_names(self) -> frozenset[str]:
        """The names in `admins`."""
        return frozenset(filter(None, map(str.strip, self.admins.split(","))))

    @property
    def times(self) -> RoomTimes:
        """The time limits of rooms, in milliseconds."""
        return RoomTimes(
            grace_ms=round(self.grace_s * 1000),
            join_ms=round(self.join_s * 1000),
            away_ms=round(self.away_s * 1000),
            linger_ms=round(self.linger_s * 1000),
            restart_ms=round(self.restart_s * 1000),
        )

    @property
    def limits(self) -> ServerLimits:
        """The limits for peers and rooms."""
        return ServerLimits(
            messages_per_s=self.messages_per_s,
            burst=self.burst,
            rooms=self.max_rooms,
            rooms_per_player=self.max_rooms_per_player,
        )
