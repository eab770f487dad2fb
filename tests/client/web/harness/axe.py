"""Check the accessibility of a page with axe-core, by the rules of WCAG 2.2 A and AA."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final, Literal

from playwright.async_api import Page

from tests.node.vendor import PACKAGES

_STILL: Final = """async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter(
        (each) => Number.isFinite(each.effect.getComputedTiming().endTime));
    await Promise.allSettled(ending.map((each) => each.finished));
}"""
"""Waits until all transitions have ended."""

TAGS: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


async def violations(page: Page) -> list[str]:
    """Return a sentence for each element that breaks a rule.

    The script runs in a world of its own, which shares only the document with the page. So the
    page's content security policy stays as it is, and the page's scripts do not notice.
    """
    # Colours in the middle of a change have less contrast.
    await page.evaluate(_STILL)
    devtools = await page.context.new_cdp_session(page)
    tree = await devtools.send("Page.getFrameTree")
    world = await devtools.send(
        "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]}
    )
    wanted = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    options = json.dumps(wanted)
    done = await devtools.send(
        "Runtime.evaluate",
        {
            "expression": f"{_source()};axe.run(document, {options}).then(r => r.violations)",
            "contextId": world["executionContextId"],
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    await devtools.detach()
    assert "exceptionDetails" not in done, done["exceptionDetails"]
    found: list[dict[str, Any]] = done["result"]["value"]
    return [
        f"{rule['id']}: {rule['help']}: {' '.join(node['target'])}: {node['html'][:200]}"
        f" ({'; '.join(check['message'] for check in node['any'] + node['all'] + node['none'])})"
        for rule in found
        for node in rule["nodes"]
    ]


async def violations_in_both(page: Page) -> list[str]:
    """Return what breaks a rule in the dark colours, and then what does in the light ones."""
    found = []
    schemes: tuple[Literal["dark", "light"], ...] = "dark", "light"
    for scheme in schemes:
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{scheme}: {each}" for each in await violations(page)]
    await page.emulate_media(reduced_motion="null")
    return found


@cache
def _source() -> str:
    return (PACKAGES / "axe-core" / "axe.min.js").read_text("utf-8")
