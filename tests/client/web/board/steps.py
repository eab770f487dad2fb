"""Steps that tests of the board share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playwright.async_api import CDPSession, Page


async def place(page: Page, action: int) -> tuple[float, float]:
    """Return where an action is on the screen."""
    x, y = await page.evaluate("a => test.at(a)", action)
    return x, y


async def played(page: Page) -> list[int]:
    """Return the actions that the board has reported."""
    found: list[int] = await page.evaluate("test.played")
    return found


async def classes(page: Page, action: int) -> list[str]:
    """Return the classes of the segment of an action."""
    found: str = await page.evaluate(
        """a => {
            const line = document.querySelectorAll(".edges .edge")[
                test.props.geometry.segments.findIndex(each => each.action === a)];
            return line.getAttribute("class");
        }""",
        action,
    )
    return found.split()


class Fingers:
    """Moves fingers over a page, which Playwright cannot hold down."""

    def __init__(self, devtools: CDPSession) -> None:
        self._devtools = devtools

    @classmethod
    async def on(cls, page: Page) -> Fingers:
        """Return the fingers of a page."""
        return cls(await page.context.new_cdp_session(page))

    async def down(self, *points: Sequence[float]) -> None:
        """Put fingers down at these points."""
        await self._send("touchStart", points)

    async def move(self, *points: Sequence[float]) -> None:
        """Move the fingers to these points."""
        await self._send("touchMove", points)

    async def up(self) -> None:
        """Lift all fingers."""
        await self._send("touchEnd", ())

    async def _send(self, kind: str, points: Sequence[Sequence[float]]) -> None:
        touches: list[dict[str, Any]] = [
            {"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)
        ]
        await self._devtools.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches}
        )
