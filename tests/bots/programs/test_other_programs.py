"""Play through programs that speak plain lines or GTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.bots.api import BotFault, Limit, NeverStop
from doublecross.games.registry import make_game
from tests.bots.programs.running import bot_of, script

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
LINES = """
import sys
print("starts", input(), file=sys.stderr)
drawn = set()
while True:
    drawn |= set(input().split())
    move = next(name for name in "b1 d1 a2 c2 e2 b3 d3 a4 c4 e4 b5 d5".split() if name not in drawn)
    drawn.add(move)
    print(move)
"""
GTP = """
import sys
drawn = []
for line in sys.stdin:
    word, *rest = line.split()
    answer = ""
    if word in ("name", "version"):
        answer = "Gopher" if word == "name" else "1.5"
    elif word == "clear_board":
        drawn = []
    elif word == "play":
        drawn.append(rest[1])
    elif word == "genmove":
        answer = next(name for name in "B1 D1 A2 C2 E2 B3 D3".split() if name not in drawn)
        drawn.append(answer)
    elif word == "time_left":
        print("? unknown command\\n", flush=True)
        continue
    print(f"= {answer}\\n", flush=True)
"""


def test_a_program_with_lines_is_told_the_moves_since_its_own(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(LINES)
    bot = bot_of(f"lines:{script(tmp_path / 'plain.py')}")
    state = GAME.initial_state((GAME.parse_action("b1"),))
    played = []
    for others in ("", "a2", "e2"):
        for name in others.split():
            state.apply(GAME.parse_action(name))
        action = bot.choose(state, Limit(), NeverStop()).action
        played.append(GAME.action_name(action))
        state.apply(action)
    assert played == ["d1", "c2", "b3"]
    state.undo()
    # After a takeback it starts anew, and knows the position by all moves.
    assert bot.choose(state, Limit(), NeverStop()).action == GAME.parse_action("b3")
    bot.close()


@pytest.mark.parametrize("then", ["input()", ""], ids=["and reads", "and ends"])
def test_a_program_with_another_protocol_is_recognised(tmp_path: Path, then: str) -> None:
    (tmp_path / "plain.py").write_text(f"print('id name Wrong', flush=True)\n{then}")
    bot = bot_of(f"lines:{script(tmp_path / 'plain.py')}")
    with pytest.raises(BotFault, match=r"; 'id name Wrong' belongs to .*: try ugi:COMMAND"):
        bot.choose(GAME.initial_state(), Limit(), NeverStop())


def test_a_program_with_gtp_plays_the_points_of_a_go_board(tmp_path: Path) -> None:
    (tmp_path / "go.py").write_text(GTP)
    bot = bot_of(f"gtp:{script(tmp_path / 'go.py')}")
    state = GAME.replay((), map(GAME.parse_action, ("b1", "d1")))
    assert bot.choose(state, Limit(clock_s=10.0), NeverStop()).action == GAME.parse_action("a2")
    assert (bot.name, bot.version) == ("Gopher", "1.5")
    state.undo()
    assert bot.choose(state, Limit(), NeverStop()).action == GAME.parse_action("d1")
    bot.close()


def test_columns_of_a_go_board_leave_out_one_letter() -> None:
    from doublecross.bots.programs.gtp_bot import vertex

    game = make_game("dots-and-boxes", {"rows": 5, "cols": 5})
    assert [vertex(game, game.parse_action(name)) for name in ("h1", "i2", "k2")] == [
        *("H1", "J2", "L2")
    ]
