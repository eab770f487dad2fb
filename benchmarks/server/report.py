"""Turn the server's figures into lines of a table, with their targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from benchmarks.figures import Line, spread
from benchmarks.server.meter import median

MIN_CPU_RATIO: Final = 0.75
MAX_P99_MS: Final = 5.0
MAX_P50_MS: Final = 2.0
MAX_IDLE_KIB: Final = 10_000 / 1024
MAX_SPECTATOR: Final = 1.15
MIN_BUSY: Final = 0.9
MAX_TOURNAMENT: Final = 1.2


def lines(results: Mapping[str, Any]) -> list[Line]:
    """Return the lines of the parts that were measured."""
    found: list[Line] = []
    if "play" in results:
        found += _play(results["play"])
    if "tournament" in results:
        found += _tournament(results["tournament"])
    if "watch" in results:
        part = results["watch"]
        found += [
            Line(
                f"CPU a copy, room with {part['spectators']} spectators",
                spread(part["room"]["cpu_us"], "us", 2),
            ),
            Line("CPU a copy, bare broadcast", spread(part["bare"]["cpu_us"], "us", 2)),
            Line(
                "spectator / bare broadcast",
                f"{part['ratio']:.2f}",
                f"at most {MAX_SPECTATOR}",
                part["ratio"] <= MAX_SPECTATOR,
            ),
        ]
    if "idle" in results:
        found += [
            Line(
                f"memory of an idle connection, {count} of them",
                f"{kib * 1.024:.1f} KB",
                f"at most {MAX_IDLE_KIB * 1.024:.0f} KB",
                kib <= MAX_IDLE_KIB,
            )
            for count, kib in results["idle"]["kib_per_connection"].items()
        ]
    return found


def _play(part: dict[str, Any]) -> list[Line]:
    latency = part["latency"]
    busy = part["move"]["busy"]["median"]
    return [
        Line("CPU of a move", spread(part["move"]["cpu_us"], "us", 1)),
        Line("CPU of an echoed message", spread(part["echo"]["cpu_us"], "us", 1)),
        Line(
            "echo / move, CPU",
            f"{part['cpu_ratio']:.2f} ({min(part['cpu_ratios']):.2f} to"
            f" {max(part['cpu_ratios']):.2f})",
            f"at least {MIN_CPU_RATIO}",
            part["cpu_ratio"] >= MIN_CPU_RATIO,
        ),
        Line("moves a second", spread(part["move"]["per_s"], "", 0)),
        Line("echoed messages a second", spread(part["echo"]["per_s"], "", 0)),
        Line("moves / echoed messages a second", f"{part['rate_ratio']:.2f}"),
        Line(
            f"latency at {latency['rate']:.0f} moves/s, p50",
            f"{latency['p50_ms']:.2f} ms",
            f"under {MAX_P50_MS:g} ms",
            latency["p50_ms"] < MAX_P50_MS,
        ),
        Line(
            "p99 of the same",
            f"{latency['p99_ms']:.2f} ms",
            f"under {MAX_P99_MS:g} ms",
            latency["p99_ms"] < MAX_P99_MS,
        ),
        Line(
            "server busy (load)",
            f"{busy:.0%} ({part['move']['load_busy']['median']:.0%})",
            f"at least {MIN_BUSY:.0%}",
            busy >= MIN_BUSY,
        ),
        *_against(part["against"]),
    ]


def _against(part: dict[str, Any]) -> list[Line]:
    """Return the lines of the other server."""
    found: list[Line] = []
    for mode, figures in part["modes"].items():
        ratios = figures["ratios"]
        busy, load_busy = figures["busy"]["median"], figures["load_busy"]["median"]
        found += [
            Line(f"CPU of a move, {part['name']}, {mode}", spread(figures["cpu_us"], "us", 1)),
            Line(
                f"{part['name']}, {mode} / CPU of a move here",
                f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
            ),
            Line(
                f"moves a second, {part['name']}, {mode}",
                f"{figures['per_s']['median']:,.0f} ({busy:.0%} busy, load {load_busy:.0%})",
            ),
        ]
    return found


def _tournament(part: dict[str, Any]) -> list[Line]:
    found = [Line("CPU of a game, plain room", spread(part["plain"]["cpu_us"], "us", 0))]
    for kind, figures in part["formats"].items():
        ratios = part["ratios"][kind]
        found += [
            Line(f"CPU of the same, {kind}", spread(figures["cpu_us"], "us", 0)),
            Line(
                f"{kind} / plain room",
                f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
                f"at most {MAX_TOURNAMENT}",
                median(ratios) <= MAX_TOURNAMENT,
            ),
        ]
    return found
