"""A stand-in for the analysis of a server: reviews over the websocket of a page, and values."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from playwright.async_api import Page, Route, WebSocketRoute

from doublecross.analysis.as_json import report_from_json, report_to_json
from doublecross.games.api import Game
from doublecross.games.registry import make_game

GAME: Final[Game] = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
COST: Final = 2


def report_of(moves: Sequence[int], costly: Sequence[int]) -> dict[str, Any]:
    """Return a report in which the moves at these plies cost 2 boxes, and the first one turned
    the game. The better move is the first free action, or the second one if that was played.
    """
    listed = []
    for ply, action in enumerate(moves):
        state = GAME.replay((), moves[:ply])
        seat = state.current_player()
        best = next((each for each in state.legal_actions() if each != action), action)
        after = -2 * COST * (1 - 2 * seat) if ply in costly else 0
        # Later values stay as they are, so that a plot has something to show.
        spread = 0.5 if ply < costly[0] else 0
        listed.append(
            {
                "ply": ply,
                "seat": seat,
                "action": action,
                "before": {"net": 0, "spread": spread},
                "after": {"net": after, "spread": spread},
                "cost": COST if ply in costly else 0,
                "sure": ply in costly,
                "best": [best if ply in costly else action],
                "every": True,
                "line": line_from(moves[:ply], best) if ply in costly else [],
                "answer": [],
                "phrases": [],
            }
        )
    fields = {
        "version": 1,
        "game": GAME.key,
        "params": dict(GAME.params),
        "opening": [],
        "accuracy": [87.4, None],
        "turning": costly[0],
        "turning_sure": True,
        "moves": listed,
    }
    return {**fields, "verdicts": report_to_json(report_from_json(fields))["verdicts"]}


def line_from(moves: Sequence[int], first: int) -> list[int]:
    """Return three moves, of which this is the first, or fewer at the end of the game."""
    state = GAME.replay((), [*moves, first])
    line = [first]
    while len(line) < 3 and not state.is_terminal():
        line.append(state.legal_actions()[0])
        state.apply(line[-1])
    return line


class FakeReviews:
    """Answers `get_review` instead of the server, which gets all other messages.

    The answer is `queued`, or the report once there is one. `tell` sends a notice about the game
    that was asked for last. `asked` has all games that were asked for.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.report: dict[str, Any] | None = None
        self._page: WebSocketRoute | None = None

    async def serve(self, page: Page) -> None:
        """Serve all later documents of a page."""
        await page.route_web_socket(re.compile("/socket$"), self._meet)

    def tell(self, status: str, request: int | None = None, **more: Any) -> None:
        """Send the state of the review that was asked for last."""
        assert self._page is not None
        state = {"place": 0, "done": 0, "all": 12, "reason": None, "report": None} | more
        message = {"type": "review", "id": request, "game_id": self.asked[-1], "status": status}
        self._page.send(json.dumps(message | state))

    def _meet(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        self._page = page

        def asked(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] != "get_review":
                server.send(text)
                return
            self.asked.append(message["game_id"])
            if self.report is None:
                self.tell("queued", message["id"], place=3)
            else:
                self.tell("done", message["id"], report=self.report)

        def answered(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "welcome":
                message["reviews"] = True
            page.send(json.dumps(message))

        page.on_message(asked)
        server.on_message(answered)


async def value(route: Route) -> None:
    """Answer `/api/values`: the first action keeps the draw, and the others lose 2 boxes."""
    question = route.request.post_data_json
    assert question.keys() == {"game", "params", "opening", "moves"}
    game = make_game(question["game"], question["params"])
    state = game.replay(question["opening"], question["moves"])
    sign = 1 if state.current_player() == 0 else -1
    first, *others = state.legal_actions()
    values = [{"action": first, "net": 0, "spread": 0}]
    values += [{"action": each, "net": -4 * sign, "spread": 0.4} for each in others]
    answer = {"version": 1, "value": {"net": 0, "spread": 0}, "actions": values, "line": [first]}
    await route.fulfill(json=answer)
