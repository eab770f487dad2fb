"""All settings that `doublecross serve` has: names, defaults, limits, flags and groups."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pydantic import Field, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from doublecross import client
from doublecross.server.shell.settings import ServerSettings

FLAGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "host": "--host",
        "port": "--port",
        "http_port": "--http-port",
        "public_http": "--public-http",
        "trusted_proxy": "--trusted-proxy",
        "tls_certificate": "--tls-certificate",
        "tls_key": "--tls-key",
        "database": "--database",
        "cluster": "--cluster",
        "nats": "--nats",
        "node": "--node",
        "cluster_name": "--cluster-name",
        "grace_s": "--grace",
        "bots": "--bots",
        "bot_games": "--bot-games",
        "bot_pause": "--bot-pause",
        "no_advice": "--no-advice",
        "analysis": "--analysis",
        "verbose": "--verbose",
    }
)
"""The settings that `serve` has a flag for."""

GROUPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "Addresses": (
            *("host", "port", "http_port", "public_http", "trusted_proxy"),
            *("tls_certificate", "tls_key", "allowed_origins"),
        ),
        "Database and page": ("database", "signing_key", "page", "page_reload"),
        "Rooms": (
            *("grace_s", "restart_s", "away_s", "linger_s", "join_s", "room_idle_s"),
            *("max_rooms", "max_rooms_per_player"),
        ),
        "Tournaments": ("absence_s", "idle_s"),
        "Accounts": ("session_days",),
        "Bots": ("bots", "bot_games", "bot_pause"),
        "Advice and reviews": ("no_advice", "analysis", "reviews_kept"),
        "Connections": (
            *("hello_s", "silence_s", "stop_s", "messages_per_s", "burst", "max_connections"),
            *("write_buffer_kib", "http_connections", "http_request_s"),
        ),
        "Limits for one address": (
            *("exempt_addresses", "connections_per_address", "http_connections_per_address"),
            *("new_connections_per_minute", "handshakes_per_minute", "logins_per_minute"),
            *("passwords_per_minute", "new_names_per_hour", "new_rooms_per_minute"),
            *("records_per_minute", "reviews_per_hour"),
            *("pages_per_minute", "files_per_minute"),
        ),
        "Cluster": (
            *("cluster", "nats", "nats_credentials", "nats_ca"),
            *("node", "cluster_name", "cluster_logs", "cluster_addresses"),
        ),
        "Metrics and logs": ("metrics", "verbose", "log_format", "log_level"),
    }
)
"""All settings by heading, in the order in which hosts read them."""

SEPARATORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "trusted_proxy": ",",
        "exempt_addresses": ",",
        "allowed_origins": ",",
        "bots": ";",
        "nats": ",",
        "cluster_addresses": ",",
    }
)
"""The settings that can be lists in a file, and what joins the parts. Specs of bots have commas."""
MOST: Final = 10**12
"""The largest number that a setting can be. Milliseconds of larger ones would not fit a message."""
HIDDEN: Final = "***"
"""The text that is shown in place of a password."""


def own_page() -> Path:
    """Return the folder of the browser page that comes with the program."""
    return Path(client.__file__).parent / "web"


class WrongKindError(ValueError):
    """A value is of another kind than its setting, although pydantic would convert it."""


class ServeSettings(ServerSettings):
    """All settings of `doublecross serve`.

    Arguments come first, then variables ``DOUBLECROSS_*``, then the file `toml_file` of the
    configuration of the class.
    """

    model_config = SettingsConfigDict(allow_inf_nan=False)

    page: Path | None = Field(default_factory=own_page, description="folder of the browser page")
    bots: str = Field(default="", description="bots that always play here")
    bot_games: int = Field(default=8, ge=1, le=256, description="games that each plays at once")
    bot_pause: float = Field(
        default=1.2, ge=0, le=10, description="the most seconds before moves against people"
    )
    no_advice: bool = Field(default=False, description="give no advice to people on the page")
    analysis: int | None = Field(
        default=None, ge=0, le=64, description="processes for reviews; None: as the machine allows"
    )
    verbose: bool = Field(default=False, description="log what happens, not only warnings")

    @field_validator("*", mode="before")
    @classmethod
    def _is_of_its_kind(cls, value: Any, info: ValidationInfo) -> Any:
        name = info.field_name or ""
        if name in SEPARATORS and isinstance(value, list):
            if all(isinstance(part, str) for part in value):
                return SEPARATORS[name].join(value)
        elif isinstance(value, bool) and not _is_switch(name):
            # Otherwise true would be the number 1.
            raise WrongKindError
        return value

    @field_validator("*")
    @classmethod
    def _is_not_absurd(cls, value: Any) -> Any:
        if isinstance(value, (int, float)) and value > MOST:
            raise ValueError(f"it must be at most {MOST}")
        return value

    @field_validator("database", "nats")
    @classmethod
    def _has_its_password(cls, text: str) -> str:
        if "://" in text and HIDDEN in text:
            raise ValueError(f"{HIDDEN} stands for a password that was hidden; write the password")
        return text

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources; an earlier one beats a later one."""
        return init_settings, Variables(settings_cls), TomlConfigSettingsSource(settings_cls)


class Variables(EnvSettingsSource):
    """Read settings from the environment. Empty variables count as not set, except for texts.

    Programs that start a server often pass a variable on that is empty when nobody has set it.
    """

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return the value of a variable, and how pydantic-settings treats it."""
        value, key, is_complex = super().get_field_value(field, field_name)
        return None if value == "" and field.annotation is not str else value, key, is_complex


def _is_switch(name: str) -> bool:
    return ServeSettings.model_fields[name].annotation is bool
