"""Make the textbook bots for their tests."""

from __future__ import annotations

from random import Random

from doublecross.bots.api import Choice, Limit, NeverStop
from doublecross.bots.registry import make_bot
from doublecross.bots.textbook import TextbookBot
from doublecross.games.api import Game, State
from doublecross.games.registry import make_game

TIC_TAC_TOE = make_game("tic-tac-toe")
BOTS = ["minimax", "alphabeta", "alphabeta:table"]


def dots_and_boxes(rows: int, cols: int) -> Game:
    return make_game("dots-and-boxes", {"rows": rows, "cols": cols})


def make(name: str, seed: int = 1, **options: int | str | bool) -> TextbookBot:
    name, _, table = name.partition(":")
    if table:
        options["table"] = True
    bot = make_bot(name, Random(seed), options)
    assert isinstance(bot, TextbookBot)
    return bot


def ask(bot: TextbookBot, state: State, limit: Limit | None = None) -> Choice:
    return bot.choose(state, limit or Limit(), NeverStop())
