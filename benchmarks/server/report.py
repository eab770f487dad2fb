"""Turn the server's figures into lines of a table, with their targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchmarks.figures import Figure, spread
from benchmarks.server.meter import median

MIN_CPU_RATIO: Final = 0.75
MAX_P99_MS: Final = 4.0
MAX_P999_MS: Final = 10.0
MAX_P50_MS: Final = 2.0
MAX_IDLE_KIB: Final = 10_000 / 1024
MAX_SPECTATOR: Final = 1.15
MIN_BUSY: Final = 0.9
MAX_TOURNAMENT: Final = 1.2


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of the parts that were measured."""
    found: list[Figure] = []
    if "play" in results:
        found += _play(results["play"])
    if "tournament" in results:
        found += _tournament(results["tournament"])
    if "watch" in results:
        part = results["watch"]
        found += [
            Figure(
                f"CPU a copy, room with {part['spectators']} spectators",
                spread(part["room"]["cpu_us"], "us", 2),
            ),
            Figure("CPU a copy, bare broadcast", spread(part["bare"]["cpu_us"], "us", 2)),
            Figure(
                "spectator / bare broadcast",
                f"{part['ratio']:.2f}",
                f"at most {MAX_SPECTATOR}",
                part["ratio"] <= MAX_SPECTATOR,
            ),
        ]
    if "idle" in results:
        found += [
            Figure(
                f"memory of an idle connection, {count} of them",
                f"{kib * 1.024:.1f} KB",
                f"at most {MAX_IDLE_KIB * 1.024:.0f} KB",
                kib <= MAX_IDLE_KIB,
            )
            for count, kib in results["idle"]["kib_per_connection"].items()
        ]
    return found


def _play(part: dict[str, Any]) -> list[Figure]:
    latency = part["latency"]
    busy = part["move"]["busy"]["median"]
    return [
        Figure("CPU of a move", spread(part["move"]["cpu_us"], "us", 1)),
        Figure("CPU of an echoed message", spread(part["echo"]["cpu_us"], "us", 1)),
        Figure(
            "echo / move, CPU",
            f"{part['cpu_ratio']:.2f} ({min(part['cpu_ratios']):.2f} to"
            f" {max(part['cpu_ratios']):.2f})",
            f"at least {MIN_CPU_RATIO}",
            part["cpu_ratio"] >= MIN_CPU_RATIO,
        ),
        Figure("moves a second", spread(part["move"]["per_s"], "", 0)),
        Figure("echoed messages a second", spread(part["echo"]["per_s"], "", 0)),
        Figure("moves / echoed messages a second", f"{part['rate_ratio']:.2f}"),
        *_percentiles(latency),
        Figure(
            "server busy (load)",
            f"{busy:.0%} ({part['move']['load_busy']['median']:.0%})",
            f"at least {MIN_BUSY:.0%}",
            busy >= MIN_BUSY,
        ),
        *_against(part["against"]),
    ]


def _against(part: dict[str, Any]) -> list[Figure]:
    """Return the lines of the other servers, after what ours has in the same respects."""
    found: list[Figure] = []
    for name, figures in part["servers"].items():
        ratios, busy = figures["ratios"], figures["busy"]["median"]
        rate = f"{figures['per_s']['median']:,.0f} ({busy:.0%} busy, load"
        found += [
            Figure(f"CPU of a move, {name}", spread(figures["cpu_us"], "us", 1)),
            Figure(
                f"{name} / CPU of a move here",
                f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
            ),
            Figure(f"moves a second, {name}", f"{rate} {figures['load_busy']['median']:.0%})"),
            *_percentiles(figures["latency"], name),
            *_kept(name, figures),
        ]
    return [*_kept("here", part), *found] if found else []


def _percentiles(latency: Mapping[str, Any], name: str = "here") -> list[Figure]:
    title = f"latency at {latency['rate']['median']:.0f} moves/s, {name}"
    return [
        Figure(
            f"{title}: {shown}",
            spread(latency[key], "ms", 2),
            f"under {most:g} ms",
            latency[key]["median"] < most,
        )
        for key, shown, most in (
            ("p50_ms", "p50", MAX_P50_MS),
            ("p99_ms", "p99", MAX_P99_MS),
            ("p999_ms", "p99.9", MAX_P999_MS),
        )
    ]


def _kept(name: str, figures: dict[str, Any]) -> list[Figure]:
    return [
        Figure(f"memory for a connection in a room, {name}", f"{figures['memory'] / 1000:.1f} KB"),
        Figure(f"answered moves lost by a kill, {name}", f"{figures['lost']:,}"),
    ]


def _tournament(part: dict[str, Any]) -> list[Figure]:
    found = [Figure("CPU of a game, plain room", spread(part["plain"]["cpu_us"], "us", 0))]
    for kind, figures in part["formats"].items():
        ratios = part["ratios"][kind]
        found += [
            Figure(f"CPU of the same, {kind}", spread(figures["cpu_us"], "us", 0)),
            Figure(
                f"{kind} / plain room",
                f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
                f"at most {MAX_TOURNAMENT}",
                median(ratios) <= MAX_TOURNAMENT,
            ),
        ]
    return found
