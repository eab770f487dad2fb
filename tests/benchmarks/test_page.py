"""Measure the browser page briefly, so that the benchmark keeps working."""

from __future__ import annotations

import pytest

from benchmarks.page import measure, report
from benchmarks.page.browser import NO_CHROMIUM, bundle, chromium, program, site
from tests.client.web.harness.browser import NEED
from tests.client.web.harness.node import NEED as NEED_NODE
from tests.client.web.harness.node import give_up
from tests.node.vendor import PACKAGES

PLAN = measure.Plan(visits=1, moves=1)


@pytest.mark.browser
@pytest.mark.timeout(120)
def test_the_page_is_measured() -> None:
    if program() is None:
        give_up(NO_CHROMIUM, NEED)
    if not (PACKAGES / ".bin" / "esbuild").exists():
        give_up("There is no esbuild: run make node", NEED_NODE)
    with bundle() as page, site(measure.BOT, page=page) as running, chromium() as browser:
        results = {
            "bundle": measure.visits(PLAN, running.url, browser),
            "click": measure.clicks(PLAN, running.url, browser),
        }
    found = {line.name: line.value for line in report.lines(results)}
    assert results["bundle"]["requests"]["least"] > 5
    assert results["bundle"]["far_playable_ms"]["median"] > 0
    assert 0 < results["bundle"]["room_ms"]["median"] <= results["bundle"]["playable_ms"]["median"]
    assert results["click"]["click_ms"]["least"] > 0
    assert set(found) >= {"bundle: first visit of a room", "click to confirmed move, 10x10"}
