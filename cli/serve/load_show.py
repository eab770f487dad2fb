"""Show what `doublecross load` measured, as a table with remarks or as JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from doublecross.cli.shared.console import say, warn

if TYPE_CHECKING:
    from rich.console import Console

    from doublecross.client.load.stages import LoadPlan, Stage

_CROWDED = 0.9
"""Other programs delay a server when all cores are busy for more than this share of the time."""


def print_progress(plan: LoadPlan, rooms: int) -> None:
    """Print on standard error what begins now."""
    word = "room" if rooms == 1 else "rooms"
    warn(f"{rooms:,} {word}: logging in, then measuring for {plan.seconds:g} s ...", "dim")


def print_stages(plan: LoadPlan, stages: Sequence[Stage], console: Console) -> None:
    """Print one line for each stage, and remarks on what limits their meaning."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("rooms", "logins", "in s", "moves/s", "p50 ms", "p95", "p99", "most"):
        table.add_column(title, justify="right")
    for title in ("opponent p99", "failures", "server CPU", "MB", "load CPU"):
        table.add_column(title, justify="right")
    for stage in stages:
        table.add_row(
            f"{stage.rooms:,}",
            f"{stage.logins:,}",
            f"{stage.logins_s:.1f}" if stage.logins else "",
            f"{stage.moves / plan.seconds:,.0f}",
            *(_time(t) for t in (stage.p50_ms, stage.p95_ms, stage.p99_ms, stage.most_ms)),
            _time(stage.opponent_p99_ms),
            f"{stage.failed:,}",
            "" if stage.server_cores is None else f"{stage.server_cores:.0%}",
            "" if stage.server_rss_mb is None else f"{stage.server_rss_mb:,.0f}",
            f"{stage.load_busy:.0%}",
        )
    console.print(table)
    for remark in remarks(stages):
        say(remark)
    say(
        f"One move per room every {plan.every_s:g} s, measured for {plan.seconds:g} s; "
        f"{plan.workers} {'process plays' if plan.workers == 1 else 'processes play'}; "
        "CPU: 100% is one core.",
        "dim",
    )


def remarks(stages: Sequence[Stage]) -> list[str]:
    """Return what a reader must know to trust the figures."""
    found = []
    for stage in stages:
        rooms = f"{stage.rooms:,} rooms"
        for failure, times in stage.failures.items():
            found.append(f"{rooms}: {times:,} x {failure}")
        if stage.missing:
            found.append(f"{rooms}: {stage.missing:,} moves did not reach the opponent")
        if stage.limited_by_load:
            found.append(
                f"{rooms}: the load itself was too slow ({_time(stage.load_p99_ms)} ms late at p99,"
                f" {stage.load_busy:.0%} of a core), so the server may be faster than this."
                " Use more --workers, or play from another machine."
            )
        elif (stage.machine_busy or 0.0) > _CROWDED:
            found.append(
                f"{rooms}: all programs together kept this machine {stage.machine_busy:.0%} busy,"
                " which delays the server and the load."
            )
    return found


def as_document(plan: LoadPlan, stages: Sequence[Stage]) -> dict[str, Any]:
    """Return everything for JSON."""
    return {
        "server": plan.server or None,
        "settings": plan.settings,
        "every_s": plan.every_s,
        "seconds": plan.seconds,
        "workers": plan.workers,
        "seed": plan.seed,
        "machine": {
            "cores": os.cpu_count(),
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
        },
        "stages": [stage.as_dict() for stage in stages],
        "remarks": remarks(stages),
    }


def _time(ms: float | None) -> str:
    if ms is None:
        return ""
    return f"{ms:.1f}" if ms < 100 else f"{ms:,.0f}"
