"""Play through a program that speaks UGI, and through some that do it wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from doublecross.bots.api import BotError, BotFault, Choice, Limit, NeverStop
from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.arena.referee import play_game
from doublecross.bots.programs import dialogue
from doublecross.bots.programs.engine import LOG_VARIABLE
from doublecross.bots.registry import bot_class, checked_spec
from doublecross.bots.workers.child import Flag
from doublecross.games.registry import make_game
from tests.bots.programs.running import bot_of, engine

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
SMALL = make_game("dots-and-boxes", {"rows": 1, "cols": 2})


def choice_of(*wrong: str, moves: tuple[int, ...] = (4,)) -> Choice:
    bot = bot_of(f"ugi:{engine(*wrong)}")
    try:
        return bot.choose(GAME.replay((2,), moves), Limit(time_s=5.0), NeverStop())
    finally:
        bot.close()


def test_a_program_plays_by_what_it_declares() -> None:
    name = str(checked_spec(f"ugi:{engine()}:Hash=64"))
    kind = bot_class(name.rpartition(":")[0])
    assert (kind.name, kind.version) == ("Lowest", "7")
    assert kind.plays(GAME)
    assert kind.plays(SMALL)
    assert not kind.plays(make_game("dots-and-boxes"))
    assert not kind.plays(make_game("tic-tac-toe"))
    choice = choice_of()
    assert choice == Choice(0, 1.5, (0,), 5, choice.elapsed, exact=True)


@pytest.mark.parametrize("how", ["UGI_Moves", "old"])
def test_other_ways_to_speak_are_understood(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doublecross.bots.programs.ugi_bot._OLD_AFTER_S", 0.2)
    assert choice_of(how).action == 0


def test_a_whole_turn_is_played_move_by_move() -> None:
    bot = bot_of(f"ugi:{engine('UGI_Turns')}")
    # Two edges are left, and both capture.
    state = SMALL.replay((), (0, 2, 4, 1, 3))
    sent = []
    send = bot.dialogue.send
    bot.dialogue.send = lambda *lines: sent.extend(lines) or send(*lines)
    while not state.is_terminal():
        state.apply(bot.choose(state, Limit(time_s=5.0), NeverStop()).action)
    assert [line for line in sent if line.startswith("go")] == ["go movetime 5000"]
    bot.close()


@pytest.mark.parametrize(
    ("wrong", "sentence", "kind"),
    [
        ("crash", "its program ended with exit code 3", "crash"),
        ("illegal", "its program chose 'b1', which is not legal", "illegal"),
        ("long", "its program wrote a line of more than 64 KiB", "crash"),
    ],
)
def test_a_fault_is_told_in_words(wrong: str, sentence: str, kind: str) -> None:
    with pytest.raises(BotFault, match=sentence) as raised:
        choice_of(wrong)
    assert raised.value.kind == kind
    assert raised.value.trace == ("it went wrong" if wrong == "crash" else "")


@pytest.mark.parametrize("wrong", ["flood", "hang"])
def test_a_program_that_never_answers_is_given_up(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.bots.programs.dialogue.STOP_S", 0.1)
    bot = bot_of(f"ugi:{engine(wrong)}")
    flag = Flag()
    flag.raised = True
    with pytest.raises(BotFault, match=r"did not answer within 0.1 s after its time"):
        bot.choose(GAME.initial_state(), Limit(time_s=5.0), flag)


def test_programs_that_do_not_start_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mybot").touch()
    for command, reason in (
        ("ugi:./nosuch", "No such file"),
        ("ugi:mybot", r"No such file or directory \(write \./mybot\)"),
        ("lines:./mybot", r"Permission denied \(make it executable with chmod"),
    ):
        program = re.escape(command.partition(":")[2])
        with pytest.raises(BotError, match=f"The program {program} cannot be started: {reason}"):
            checked_spec(command)
    with pytest.raises(BotError, match=r"Option Hash of bot Lowest takes a number from 1 to 1024"):
        checked_spec(f"ugi:{engine()}:Hash=0")
    with pytest.raises(BotError, match=r"has no option 'Size'; it has Hash"):
        checked_spec(f"ugi:{engine()}:Size=0")
    monkeypatch.setattr("doublecross.bots.programs.ugi_bot.READY_S", 0.1)
    monkeypatch.setattr("doublecross.bots.programs.ugi_bot._OLD_AFTER_S", 0.05)
    with pytest.raises(BotError, match=r"ugiok within 0.1 s; if .* try lines:COMMAND"):
        checked_spec(f"ugi:{engine('silent')}")


def test_a_program_stays_for_the_next_game(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = []
    start = dialogue.Program
    monkeypatch.setattr(dialogue, "Program", lambda c: starts.append(c) or start(c))
    text = f"ugi:{engine('this one alone')}"
    for _ in range(2):
        first, second = bot_of(text), bot_of(text)
        budgets = (MoveBudget(time_s=5.0), MoveBudget(time_s=5.0))
        assert play_game(GAME, (0,), (first, second), budgets, 2.0, lambda move: None) is None
        first.close()
        second.close()
    assert len(starts) == 2


def test_the_dialogue_of_a_game_is_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LOG_VARIABLE, str(tmp_path))
    bot = bot_of(f"ugi:{engine('crash')}")
    bot.label = "pair 1/Lowest"
    with pytest.raises(BotFault):
        bot.choose(GAME.initial_state(), Limit(time_s=5.0), NeverStop())
    lines = [line[10:] for line in (tmp_path / "pair-1-Lowest.log").read_text().splitlines()]
    assert lines[-3:] == ["< position startpos", "< go movetime 5000", "! it went wrong"]
