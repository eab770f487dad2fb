"""Play matches on the page of a room, against people who use the Python client."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from doublecross.protocol.client_messages import Say
from doublecross.protocol.server_messages import Done
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.client.web.room.table import (
    click,
    first_moves,
    game_of,
    hosting,
    join,
    playing,
    resign,
    settings,
    status,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_move_is_chosen_early_or_it_is_said_why_not(serve: Serve, visit: Visit) -> None:
    async with playing(serve(), visit) as (bob, page):
        game = bob.mirror.game
        first, second, third, fourth, fifth = game.initial_state().legal_actions()[:5]
        await expect(status(page)).to_contain_text("our turn")
        await click(page, game, first)
        await bob.sees(lambda room: room.my_turn)
        # A move for the next turn is chosen, changed, removed, chosen again, and played.
        early = page.locator(".earlies .edge")
        for action in (third, fourth):
            await click(page, game, action)
            waits = f"{game.action_name(action)} waits for your turn. Choose it again to remove it."
            await expect(status(page)).to_have_text(waits)
            await expect(early).to_have_count(1)
        await page.keyboard.press("Escape")
        await expect(status(page)).to_have_text("Bob is to move.")
        await click(page, game, third)
        await expect(status(page)).to_contain_text("waits for your turn")
        await bob.play(second)
        await bob.sees(lambda room: room.state.history() == (first, second, third))
        await expect(early).to_have_count(0)
        await page.get_by_role("button", name="Settings", exact=True).click()
        await page.get_by_role("switch", name="Choose the next move early").click()
        await page.keyboard.press("Escape")
        field = page.locator(".room-commands input")
        await field.fill(game.action_name(fifth))
        await field.press("Enter")
        await expect(status(page)).to_have_text("It is Bob's turn.")
        await bob.play(fourth)
        # At once, not after the seconds for which such a sentence stays.
        await expect(status(page)).to_contain_text("our turn", timeout=2000)


async def test_two_people_play_a_whole_game(serve: Serve, visit: Visit) -> None:
    what = settings("connect-four", {"rows": 4, "cols": 4})
    async with playing(serve(), visit, what) as (bob, page):
        rules = game_of(what)
        state = rules.initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            action = legal[state.ply % len(legal)]
            if state.current_player() == 0:
                await expect(status(page)).to_contain_text("our turn")
                await click(page, rules, action)
            else:
                await bob.play(action)
            state.apply(action)
        result = page.get_by_role("region", name="Result")
        await expect(result).to_contain_text("played to the end")
        first, second = state.returns()
        told = "Draw" if first == second else "You won" if first > second else "You lost"
        await expect(result).to_contain_text(told)


async def test_resigning_asks_first_rematches_swap_the_seats_and_a_new_match_is_called_off(
    serve: Serve, visit: Visit
) -> None:
    async with playing(serve(), visit) as (bob, page):
        await page.get_by_role("button", name="Resign").click()
        await expect(page.get_by_role("button", name="Play on")).to_be_focused()
        await page.get_by_role("button", name="Play on").click()
        assert bob.mirror.status == "playing"
        await resign(page)
        result = page.get_by_role("region", name="Result")
        await expect(result).to_contain_text("You lost")
        await expect(result).to_contain_text("You resigned")
        await bob.client.rematch(bob.room)
        await expect(status(page)).to_contain_text("Bob would like a rematch")
        await page.get_by_role("button", name="Accept rematch").click()
        await expect(status(page)).to_have_text("Bob is to move.")
        await bob.sees(lambda room: room.seat == 0)
        # Bob moves first now; he keeps his place, and his colour unless the settings say otherwise.
        marks = page.locator(".room-seat-mark")
        await expect(marks).to_have_text(["B", "A"])
        red, blue = [await colour(marks.nth(seat)) for seat in (0, 1)]
        painted = await painting(marks.first)
        await page.emulate_media(forced_colors="active")
        assert await painting(marks.first) == painted
        await page.emulate_media(forced_colors="none")
        await page.get_by_role("button", name="Settings", exact=True).click()
        await page.get_by_role("switch", name="Same colours in rematches").click()
        await page.get_by_role("button", name="Done").click()
        await expect(marks.first).to_have_css("--seat", blue)
        await expect(marks.last).to_have_css("--seat", red)
        await resign(page)
        await bob.sees(lambda room: room.status == "finished")
        await bob.client.rematch(bob.room)
        await page.get_by_role("button", name="Accept rematch").click()
        await expect(status(page)).to_have_text("Your turn.")
        await expect(marks.first).to_have_css("--seat", red)
        await expect(marks.last).to_have_css("--seat", blue)
        # It is called off at its beginning, and the next one leads on after its end.
        call_off = page.get_by_role("button", name="Call off the game")
        await first_moves(page, bob)
        await expect(call_off).to_be_disabled()
        await resign(page)
        await bob.client.rematch(bob.room)
        await page.get_by_role("button", name="Accept rematch").click()
        await call_off.click()
        await expect(page.get_by_role("region", name="Result")).to_contain_text("No result")
        await bob.client.rematch(bob.room)
        await page.get_by_role("button", name="Accept rematch").click()
        await bob.sees(lambda room: room.status == "playing")
        await bob.client.resign(bob.room)
        review = page.get_by_role("link", name="Review")
        await expect(review).to_have_attribute("href", re.compile(rf"/game/.+#{bob.code}$"))
        await page.get_by_role("button", name="Invite a friend").click()
        await expect(page.get_by_role("heading", name="Waiting for an opponent")).to_be_visible()
        await expect(page.get_by_text("Only people who have it can join")).to_be_visible()
        await page.get_by_role("button", name="Close the room").click()
        await expect(page.get_by_role("region", name="Play now")).to_be_visible()


async def painting(mark: Locator) -> str:
    """Return the colour behind a seat's mark."""
    found: str = await mark.evaluate("(element) => getComputedStyle(element).backgroundColor")
    return found


async def colour(mark: Locator) -> str:
    """Return the colour of a seat, which has a mark."""
    found: str = await mark.evaluate(
        "(element) => getComputedStyle(element).getPropertyValue('--seat')"
    )
    return found


_TRANSLATE = """() => {
  const walk = document.createTreeWalker(document.querySelector("#app"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode())
    if (!walk.currentNode.parentElement.closest("[translate=no]")) found.push(walk.currentNode);
  for (const text of found) {
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
  }
}"""
"""Replaces the texts of a page as Chrome's translation does."""


async def test_a_page_that_the_browser_translates_goes_on(serve: Serve, visit: Visit) -> None:
    async with playing(serve(), visit, settings(size={"rows": 1, "cols": 1})) as (bob, page):
        game = bob.mirror.game
        await page.evaluate(_TRANSLATE)
        await click(page, game, 0)
        await expect(status(page)).to_have_text("Bob is to move.")
        await page.evaluate(_TRANSLATE)
        await bob.play(1)
        await click(page, game, 2)
        await bob.sees(lambda room: room.state.ply == 3)
        await bob.play(3)
        await expect(page.locator(".room-seat-score").first).to_contain_text("1")
        await expect(page.get_by_role("region", name="Result")).to_contain_text("You lost 0 : 1")
        await expect(page.get_by_role("button", name="Rematch")).to_be_enabled()
        await page.evaluate(_TRANSLATE)
        await page.get_by_role("button", name="Rematch").click()
        await expect(page.get_by_role("button", name="Rematch offered")).to_be_visible()
        await page.get_by_role("link", name="Play", exact=True).click()
        counts = page.get_by_text(re.compile(r"^\d+ players?, "))
        await expect(counts).to_contain_text("2 players, 0 offers")
        waiting = await bob.client.create_room(settings(), seat=1)
        games = page.get_by_role("list", name="Games")
        await expect(games).to_contain_text("waits for a player")
        await page.evaluate(_TRANSLATE)
        async with hosting(serve.latest, name="Cleo") as cleo:
            await cleo.client.join(waiting.room)
            await expect(games).to_contain_text("Cleo")
            await expect(games).not_to_contain_text("waits")
            await expect(counts).to_contain_text("3 players, 0 offers, 1 game")


async def test_moves_are_taken_back(serve: Serve, visit: Visit, axe: Axe, shot: Any) -> None:
    async with hosting(serve()) as bob:
        game = bob.mirror.game
        page = await visit("/", name="Ann")
        await go_to(page, bob.path)
        await join(page)
        take_back = page.get_by_role("button", name="Take back")
        await expect(take_back).to_be_disabled()
        await first_moves(page, bob)
        await take_back.click()
        await expect(status(page)).to_have_text("Waiting for Bob to agree to the takeback.")
        await page.get_by_role("button", name="Withdraw").click()
        await expect(status(page)).to_have_text("Your turn.")
        await click(page, game, 2)
        await bob.play(3)
        await expect(status(page)).to_have_text("Your turn.")
        await page.get_by_role("application").focus()
        await page.keyboard.press("u")
        await bob.sees(lambda room: room.takeback is not None)
        await bob.client.answer_takeback(bob.room, 1, 2, 0, False)
        await expect(status(page)).to_have_text("Bob did not agree to the takeback.")
        await click(page, game, 4)
        await bob.sees(lambda room: room.state.ply == 5)
        await bob.client.ask_takeback(bob.room, 1, 3, 0)
        asks = page.locator(".room-says")
        await expect(asks).to_contain_text("Bob asks to take back the last 2 moves.")
        assert await axe(page) == []
        await shot(page, "takeback-asked")
        await asks.get_by_role("button", name="Accept").click()
        await bob.sees(lambda room: room.takebacks == 1)
        await expect(page.locator(".room-board .edge.drawn")).to_have_count(3)
        await bob.play(5)
        # The page takes the position and the count from a snapshot, too.
        await page.reload()
        await expect(status(page)).to_have_text("Your turn.")
        await take_back.click()
        await bob.sees(lambda room: room.takeback is not None)
        await bob.client.answer_takeback(bob.room, 1, 2, 1, True)
        await expect(page.locator(".room-board .edge.drawn")).to_have_count(2)
        await click(page, game, 6)
        await bob.sees(lambda room: room.state.history() == (0, 1, 6))


async def test_people_talk_and_hide_the_words_of_others(
    serve: Serve, visit: Visit, axe: Axe, shot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOUBLECROSS_TALK", "true")
    async with playing(serve(), visit, width=360, height=740, touch=True) as (bob, page):
        seats = [page.locator(f".room-seat.seat{seat} .room-seat-about") for seat in (0, 1)]
        await page.get_by_text("Phrases", exact=True).click()
        assert await axe(page) == []
        await shot(page, "phrases-360")
        await page.get_by_role("button", name="Good luck!").click()
        await expect(seats[0]).to_have_text("Good luck!")
        await expect(page.get_by_role("button", name="Good luck!")).to_be_hidden()
        await bob.client.say(bob.room, 1, "have_fun")
        await expect(seats[1]).to_have_text("Have fun!")
        await expect(page.get_by_text("Bob: Have fun!", exact=True)).to_be_attached()
        await page.get_by_label("Say something to your opponent").fill("Well <b>met</b>")
        await page.get_by_role("button", name="Say", exact=True).click()
        await bob.client.ask(lambda i: Say(id=i, room=bob.room, words="Grumble"), Done)
        talk = page.get_by_role("log", name="What was said")
        await expect(talk).to_have_text("Ann Well <b>met</b>Bob Grumble")
        assert await axe(page) == []
        await talk.get_by_role("button", name="Bob").click()
        await page.get_by_role("button", name="Block").click()
        await page.get_by_role("button", name="Unblock").click()
        await page.get_by_role("button", name="Hide the words of this player").click()
        await page.get_by_role("button", name="Close", exact=True).click()
        await expect(talk).to_have_text("Ann Well <b>met</b>")
        field = page.get_by_label("Move or command")
        for _ in range(5):
            await field.fill("say oops")
            await field.press("Enter")
        await expect(status(page)).to_contain_text("You have spoken 5 times in a minute.")
        await page.get_by_text("Phrases", exact=True).click()
        await page.get_by_role("switch", name="Mute phrases in this room").click()
        await bob.client.say(bob.room, 1, "oops")
        await bob.client.resign(bob.room)
        await expect(page.get_by_role("region", name="Result")).to_be_visible()
        await expect(seats[1]).to_be_empty()


async def test_earlier_positions_are_shown_by_keys_and_by_the_list(
    serve: Serve, visit: Visit
) -> None:
    async with playing(serve(), visit) as (bob, page):
        await first_moves(page, bob)
        moves = page.get_by_role("region", name="Moves")
        await page.keyboard.press("Comma")
        await expect(status(page)).to_contain_text("Move 1 of 2")
        await page.keyboard.press("PageUp")
        await expect(status(page)).to_contain_text("The start")
        await expect(page.locator(".room-board .edge.drawn")).to_have_count(0)
        await moves.get_by_role("button", name=bob.mirror.game.action_name(0), exact=True).click()
        await expect(status(page)).to_contain_text("Move 1 of 2")
        await page.keyboard.press("End")
        await expect(status(page)).to_have_text("Your turn.")
        await page.get_by_role("application").focus()
        await page.keyboard.press("Home")
        await expect(status(page)).to_contain_text("The start")
        await page.keyboard.press("Escape")
        await expect(status(page)).to_have_text("Your turn.")
        # The list is one stop of the Tab key.
        game = bob.mirror.game
        shown = page.locator(".room-turns :focus")
        await page.get_by_role("button", name="Latest position").focus()
        for key, name in [
            ("Tab", game.action_name(1)),
            ("ArrowLeft", game.action_name(0)),
            ("ArrowUp", "Start"),
            ("ArrowDown", game.action_name(0)),
            ("End", game.action_name(1)),
            ("Home", "Start"),
        ]:
            await page.keyboard.press(key)
            await expect(shown).to_have_text(name)
        await expect(status(page)).to_contain_text("The start")
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("switch", name="Chains and loops")).to_be_focused()
        # The page fetches the positions from before a reload.
        await page.reload()
        await expect(status(page)).to_have_text("Your turn.")
        await expect(page.locator(".room-turns .room-move:not(.start)")).to_have_count(2)
        await page.keyboard.press("Comma")
        await expect(page.locator(".room-board .edge.drawn")).to_have_count(1)


async def test_a_clock_counts_down_and_a_lost_game_says_so(serve: Serve, visit: Visit) -> None:
    async with playing(serve(), visit, settings(time="2+0")) as (bob, page):
        await first_moves(page, bob)
        await expect(page.locator(".room-seat.seat0 .clock.low")).to_be_visible()
        await expect(page.get_by_role("region", name="Result")).to_contain_text(
            "You ran out of time"
        )
        await bob.sees(lambda room: room.result is not None and room.result.winner == 1)


async def test_an_opponent_who_stays_away_can_be_beaten_by_a_claim(
    serve: Serve, visit: Visit
) -> None:
    server = serve(grace_s=1)
    async with playing(server, visit) as (bob, page):
        claim = page.get_by_role("button", name="Claim the win")
        await expect(claim).to_be_hidden()
        await bob.client.close()
        await expect(page.locator(".room-seat.seat1")).to_contain_text("away")
        # While a server is stalled its clock stands still, so a claim can come too early for it.
        with server.stalled():
            await expect(claim).to_be_visible()
        await claim.click()
        result = page.get_by_role("region", name="Result")
        early = page.get_by_text("Your opponent has another 1 s to come back.").first
        await expect(result.or_(early)).to_be_visible()
        while not await result.is_visible():
            await claim.or_(result).click()
        await expect(result).to_contain_text("Bob stayed away")
