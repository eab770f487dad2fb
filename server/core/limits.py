"""Limits on what one player may send and create, and the token bucket that enforces a rate."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """The limits of a server."""

    messages_per_s: float = 500.0
    """The sustained rate of messages from one player, and of KiB in long answers to it."""
    burst: int = 500
    """How many messages a player may send at once after a pause, and how many KiB to ask for."""
    offences: int = 200
    """How many malformed or excess messages close a connection."""
    offences_per_s: float = 2.0
    """How many offences the server forgives in each second."""
    rooms: int = 20_000
    """The most open rooms of the server; in a cluster, for each node."""
    rooms_per_player: int = 256
    """The most open rooms in which one player has a seat."""
    offers_per_player: int = 64
    """The most open seeks and challenges of one player."""
    followed_rooms: int = 1024
    """The most rooms that one connection follows."""
    offers: int = 10_000
    """The most open seeks and challenges of the server."""
    challenges_per_target: int = 256
    """The most open challenges to one player."""
    challenges_per_pair: int = 32
    """The most open challenges of one player to one other."""
    arranged_per_player: int = 3
    """The most matches between bots that one person may have arranged: asked for or in play."""
    rated_accounts_only: bool = False
    """True when guests may not play rated matches."""
    talk: bool = False
    """True when people may say something in their own words in rooms."""


class TokenBucket:
    """Limit a rate: up to `burst` tokens, refilled at `rate` tokens a second.

    `now` is in seconds.
    """

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Take one token and return True, or return False when there is none."""
        # Every message takes a token, so this repeats `tokens` without a call.
        tokens = self._tokens + (now - self._at) * self._rate
        self._at = now
        if tokens > self._burst:
            tokens = self._burst
        if tokens < 1.0:
            self._tokens = tokens
            return False
        self._tokens = tokens - 1.0
        return True

    def tokens(self, now: float) -> float:
        """Return how many tokens there are; negative is a debt."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        return self._tokens

    def full_at(self) -> float:
        """Return when the bucket is full again, if nothing is taken until then."""
        return self._at + (self._burst - self._tokens) / self._rate

    def owe_until(self, full_at: float) -> None:
        """Take as many tokens as come back until `full_at`.

        A new connection of a player begins so with the debt of the one before. Otherwise a client
        could refill its rate by connecting again.
        """
        self._tokens -= max(0.0, full_at - self._at) * self._rate

    def charge(self, tokens: float) -> None:
        """Take this many tokens even when there are fewer; the debt is refilled first."""
        self._tokens -= tokens


class Allowance:
    """What a player may still send and ask for, over all connections of this player.

    Times are seconds of the event loop's clock. A connection has one of its own until its login.
    """

    __slots__ = ("_answers", "_answers_full_at", "_limits", "_offences", "_since", "messages")

    def __init__(self, limits: ServerLimits, now: float) -> None:
        self._limits = limits
        self._since = now
        self.messages = TokenBucket(limits.messages_per_s, limits.burst, now)
        """How many messages it may still send."""
        self._answers_full_at = 0.0
        """When the `answers` that an earlier connection has used are full again."""
        # Most players never need these two.
        self._answers: TokenBucket | None = None
        self._offences: TokenBucket | None = None

    @property
    def answers(self) -> TokenBucket:
        """How much it may still ask for, in units of `FREE_BYTES`; see `Peer.pay`."""
        if self._answers is None:
            self._answers = TokenBucket(
                self._limits.messages_per_s, self._limits.burst, self._since
            )
            self._answers.owe_until(self._answers_full_at)
        return self._answers

    @property
    def offences(self) -> TokenBucket:
        """How many malformed or excess messages it may still send."""
        if self._offences is None:
            limits = self._limits
            self._offences = TokenBucket(limits.offences_per_s, limits.offences, self._since)
        return self._offences

    def owe_until(self, messages: float, answers: float) -> None:
        """Charge what the player has used up before; the times are those of `full_at`."""
        self.messages.owe_until(messages)
        self._answers_full_at = answers
        if self._answers is not None:
            self._answers.owe_until(answers)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server waits for a client, and for how much.

    A new connection may take `hello_s` seconds for its hello. A player may send nothing for
    `silence_s` seconds. A peer may have `write_buffer` unread bytes, and all
    peers of one address together `unread`. The long answers of all take `turn_s` seconds at a time.
    """

    hello_s: float
    silence_s: float
    write_buffer: int
    unread: int = 1 << 24
    turn_s: float = 0.001
