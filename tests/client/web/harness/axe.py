"""Check the accessibility of a page with axe-core, by the rules of WCAG 2.2 A and AA."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
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


_COLOURS: Final = ("color-contrast", "link-in-text-block")
"""The rules whose result depends on colours."""
Check = Callable[[str, tuple[str, ...]], Awaitable[list[str]]]


async def violations(page: Page) -> list[str]:
    """Return a sentence for each element that breaks a rule."""
    async with _world(page) as check:
        return await check("tag", TAGS)


async def violations_in_both(page: Page) -> list[str]:
    """Return what breaks a rule in the dark colours, and then what the light ones break besides.

    The colour schemes differ in nothing else, so the light one is checked by the rules for colours.
    """
    await _coloured(page, "dark")
    async with _world(page) as check:
        found = [f"dark: {each}" for each in await check("tag", TAGS)]
        await _coloured(page, "light")
        found += [f"light: {each}" for each in await check("rule", _COLOURS)]
    await page.emulate_media(reduced_motion="null")
    return found


async def _coloured(page: Page, scheme: Literal["dark", "light"]) -> None:
    """Wait until the page has the colours of a scheme; its own script chooses them."""
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")


@asynccontextmanager
async def _world(
    page: Page,
) -> AsyncIterator[Callable[[str, tuple[str, ...]], Awaitable[list[str]]]]:
    """Load axe-core, which takes as long as a check, and yield a function that checks the page.

    The script runs in a world of its own, which shares only the document with the page. So the
    page's content security policy stays as it is, and the page's scripts do not notice.
    """
    devtools = await page.context.new_cdp_session(page)
    tree = await devtools.send("Page.getFrameTree")
    world = await devtools.send(
        "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]}
    )

    async def evaluate(expression: str) -> Any:
        done = await devtools.send(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": world["executionContextId"],
                "awaitPromise": True,
                "returnByValue": True,
            },
        )
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    async def check(kind: str, values: tuple[str, ...]) -> list[str]:
        # Colours in the middle of a change have less contrast.
        await page.evaluate(_STILL)
        wanted = {"runOnly": {"type": kind, "values": values}, "resultTypes": ["violations"]}
        found: list[dict[str, Any]] = await evaluate(
            f"axe.run(document, {json.dumps(wanted)}).then(r => r.violations)"
        )
        return [
            f"{rule['id']}: {rule['help']}: {' '.join(node['target'])}: {node['html'][:200]}"
            f" ({'; '.join(each['message'] for each in node['any'] + node['all'] + node['none'])})"
            for rule in found
            for node in rule["nodes"]
        ]

    await evaluate(f"{_source()};0")
    yield check
    await devtools.detach()


@cache
def _source() -> str:
    return (PACKAGES / "axe-core" / "axe.min.js").read_text("utf-8")
