"""Check the accessibility of a page with axe-core, by the rules of WCAG 2.2 A and AA."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from playwright.async_api import Page

from tests.node.vendor import PACKAGES

TAGS: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


async def violations(page: Page) -> list[str]:
    """Return a sentence for each element that breaks a rule.

    The script runs in a world of its own, which shares only the document with the page. So the
    page's content security policy stays as it is, and the page's scripts do not notice.
    """
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


@cache
def _source() -> str:
    return (PACKAGES / "axe-core" / "axe.min.js").read_text("utf-8")
