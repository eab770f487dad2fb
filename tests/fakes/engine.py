"""An engine for UGI that plays the lowest free edge. Its arguments say what it does wrong.

It runs as a script, without our packages, so it draws the position from the names of moves alone.
"""

import os
import subprocess
import sys
import time

WRONG = set(sys.argv[1:])


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def edges(rows, cols):
    """Return the names of all edges in the order of their numbers."""
    across = [(2 * c + 1, 2 * r) for r in range(rows + 1) for c in range(cols)]
    down = [(2 * c, 2 * r + 1) for r in range(rows) for c in range(cols + 1)]
    return [f"{chr(97 + x)}{2 * rows + 1 - y}" for x, y in across + down]


def introduce(word):
    if "silent" in WRONG or ("old" in WRONG and word == "ugi"):
        return
    say("id name Lowest")
    say("id version 7")
    say("option name UGI_Size type combo default 2x2 var 2x2 var 1x2")
    say("option name Hash type spin default 16 min 1 max 1024")
    for name, default in (("UGI_Turns", "true"), ("UGI_Moves", "numbers var numbers")):
        if name in WRONG:
            kind = "combo" if "var" in default else "check"
            say(f"option name {name} type {kind} default {default}")
    if "broken option" in WRONG:
        say("option Hash 16")
    say(f"{word}ok")


def answer(names, drawn):
    free = [name for name in names if name not in drawn]
    move = free[0]
    if "crash" in WRONG:
        sys.stderr.write("it went wrong\n")
        sys.exit(3)
    if "illegal" in WRONG and drawn:
        move = sorted(drawn)[0]
    if "flood" in WRONG:
        while True:
            say("info string " + "x" * 1000)
    if "long" in WRONG:
        say("x" * 1_000_000)
    if "hang" in WRONG:
        time.sleep(1000)
    say(f"info depth 1 score cp 150 exact nodes 5 pv {move}")
    if "UGI_Turns" in WRONG:
        move = " ".join(free)
    say(f"bestmove {names.index(move) if 'UGI_Moves' in WRONG else move}")


def main():
    names, drawn, fen = edges(2, 2), set(), ()
    if "escape" in WRONG:
        subprocess.Popen(["sleep", "1000"], start_new_session=True)
        say(f"info string {os.getpid()}")
    for line in sys.stdin:
        words = line.split()
        if words[0] in ("ugi", "uci"):
            introduce(words[0])
        elif words[0] == "isready":
            say("readyok")
        elif words[:3] == ["setoption", "name", "UGI_Size"]:
            names = edges(*map(int, words[4].split("x")))
        elif words[0] == "position":
            fen = words[2].rstrip("/").split(",") if words[1] == "fen" else ()
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
            if "UGI_Moves" in WRONG:
                moves = [names[int(move)] for move in moves]
            drawn = {*moves, *(names[int(edge)] for edge in fen)}
        elif words[0] == "go" and "infinite" not in words:
            answer(names, drawn)
        elif words[0] == "stop" and "hang" not in WRONG:
            say(f"bestmove {next(name for name in names if name not in drawn)}")
        elif words[0] == "quit":
            if "stays" in WRONG:
                time.sleep(1000)
            break


main()
