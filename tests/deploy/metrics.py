"""The metrics that servers have, those in the documents, and those in dashboard and alerts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from prometheus_client.parser import text_string_to_metric_families

from tests.cli.commands import ROOT

ALERTS: Final = ROOT / "deploy" / "prometheus" / "alerts.yml"
DASHBOARD: Final = ROOT / "deploy" / "grafana" / "doublecross.json"
OF_A_SERVER: Final = "### Figures for Prometheus"
OF_A_NODE: Final = "### Figures of a node"
_NAME: Final = re.compile(r"\b(?:doublecross|process)_[a-z_]+")
_ROW: Final = re.compile(r"^\| `(doublecross_\w+)` \| (\w+) \|([^|]*)\|", re.MULTILINE)

Metrics = Mapping[str, tuple[str, set[str]]]
"""The type and the labels of each metric, by name."""


class Exposed(NamedTuple):
    """What `/metrics` says: our metrics, and the names of all samples."""

    metrics: Metrics
    samples: set[str]


def exposed(text: str) -> Exposed:
    """Return what is in an answer of `/metrics`."""
    metrics: dict[str, tuple[str, set[str]]] = {}
    samples: set[str] = set()
    for family in text_string_to_metric_families(text):
        name = family.name + ("_total" if family.type == "counter" else "")
        for sample in family.samples:
            samples.add(sample.name)
            _, labels = metrics.setdefault(name, (family.type, set()))
            labels.update(sample.labels.keys() - {"le"})
    ours = {name: each for name, each in metrics.items() if name.startswith("doublecross_")}
    return Exposed(ours, samples)


def documented(heading: str) -> Metrics:
    """Return the metrics in the table below a heading of docs/hosting.md."""
    text = (ROOT / "docs" / "hosting.md").read_text()
    section = re.split(r"^#+ ", text.split(f"{heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)
    return {
        found[1]: (found[2], set(re.findall(r"`(\w+)`", found[3])))
        for found in _ROW.finditer(section[0])
    }


def named() -> set[str]:
    """Return the names of the samples that the dashboard and the alerts use."""
    dashboard = _expressions(json.loads(DASHBOARD.read_text()))
    alerts = re.findall(r"^ +expr: (.+)$", ALERTS.read_text(), re.MULTILINE)
    assert len(dashboard) > 20
    assert len(alerts) > 10
    return {name for each in (*dashboard, *alerts) for name in _NAME.findall(each)}


def _expressions(node: object) -> list[str]:
    """Return the queries of a dashboard."""
    if isinstance(node, dict):
        own = [node["expr"]] if "expr" in node else []
        return own + [found for each in node.values() for found in _expressions(each)]
    if isinstance(node, list):
        return [found for each in node for found in _expressions(each)]
    return []
