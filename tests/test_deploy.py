"""The files in `deploy/` name only metrics that a real server has."""

from __future__ import annotations

import asyncio
import shutil
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from tests.deploy.metrics import ALERTS, OF_A_NODE, OF_A_SERVER, documented, exposed, named
from tests.protocol.wire import serving
from tests.server.shell.test_http import Reader

RULE_TESTS = Path(__file__).parent / "deploy" / "alerts_test.yml"
PROMTOOL = shutil.which("promtool")


async def test_dashboard_alerts_and_documentation_name_the_metrics_that_exist(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        found = exposed((await http.client.get("/metrics")).text)
    assert documented(OF_A_SERVER) == found.metrics
    # `tests/cluster/servers/test_web.py` compares these with two real nodes.
    of_a_node = documented(OF_A_NODE).keys()
    assert of_a_node
    assert named() <= found.samples | of_a_node
    # What nobody looks at would cost without a use.
    ours = found.metrics.keys() | of_a_node
    assert {name for name in ours if not any(each.startswith(name) for each in named())} == set()


@pytest.mark.processes
@pytest.mark.skipif(PROMTOOL is None, reason="promtool, of Debian's package prometheus, is missing")
async def test_prometheus_takes_the_alerts_and_the_metrics(tmp_path: Path) -> None:
    assert PROMTOOL is not None
    async with serving(tmp_path) as server, Reader(server) as http:
        text = (await http.client.get("/metrics")).content
    for arguments, given in (
        (["check", "rules", str(ALERTS)], b""),
        (["test", "rules", str(RULE_TESTS)], b""),
        (["check", "metrics"], text),
    ):
        process = await asyncio.create_subprocess_exec(
            PROMTOOL, *arguments, stdin=PIPE, stdout=PIPE, stderr=STDOUT
        )
        said, _ = await process.communicate(given)
        assert process.returncode == 0, said.decode()
