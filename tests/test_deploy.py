"""The files in `deploy/` name only metrics that a real server has."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.protocol.wire import serving
from tests.server.shell.test_http import Reader

ROOT = Path(__file__).resolve().parents[1]
ALERTS = ROOT / "deploy" / "prometheus" / "alerts.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "doublecross.json"
HOSTING = ROOT / "docs" / "hosting.md"
PROMTOOL = shutil.which("promtool")
_NAME = re.compile(r"\b(?:doublecross|process)_[a-z_]+")


def expressions(node: object) -> list[str]:
    """Return the queries of a dashboard."""
    if isinstance(node, dict):
        own = [node["expr"]] if "expr" in node else []
        return own + [found for each in node.values() for found in expressions(each)]
    if isinstance(node, list):
        return [found for each in node for found in expressions(each)]
    return []


async def test_dashboard_alerts_and_documentation_name_the_metrics_that_exist(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        text = (await http.client.get("/metrics")).text
    kinds: dict[str, str] = {}
    samples: set[str] = set()
    labels: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text):
        name = family.name + ("_total" if family.type == "counter" else "")
        kinds[name] = family.type
        for sample in family.samples:
            samples.add(sample.name)
            labels.setdefault(name, set()).update(sample.labels.keys() - {"le"})
    dashboard = expressions(json.loads(DASHBOARD.read_text()))
    alerts = re.findall(r"^ +expr: (.+)$", ALERTS.read_text(), re.MULTILINE)
    assert len(dashboard) > 20
    assert len(alerts) > 10
    named = {name for each in (*dashboard, *alerts) for name in _NAME.findall(each)}
    assert named <= samples
    # What nobody looks at would cost without a use.
    ours = {name for name in kinds if name.startswith("doublecross_")}
    assert {name for name in ours if not any(each.startswith(name) for each in named)} == set()

    row = re.compile(r"^\| `(doublecross_\w+)` \| (\w+) \|([^|]*)\|", re.MULTILINE)
    told = {
        found[1]: (found[2], set(re.findall(r"`(\w+)`", found[3])))
        for found in row.finditer(HOSTING.read_text())
    }
    assert told == {name: (kinds[name], labels[name]) for name in ours}


@pytest.mark.processes
@pytest.mark.skipif(PROMTOOL is None, reason="promtool, of Debian's package prometheus, is missing")
async def test_prometheus_takes_the_alerts_and_the_metrics(tmp_path: Path) -> None:
    assert PROMTOOL is not None
    async with serving(tmp_path) as server, Reader(server) as http:
        text = (await http.client.get("/metrics")).content
    for arguments, given in ((["rules", str(ALERTS)], b""), (["metrics"], text)):
        process = await asyncio.create_subprocess_exec(
            PROMTOOL, "check", *arguments, stdin=PIPE, stdout=PIPE, stderr=STDOUT
        )
        said, _ = await process.communicate(given)
        assert process.returncode == 0, said.decode()
