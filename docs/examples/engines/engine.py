"""A complete engine for Dots and Boxes in Python, without our package. Improve `choose`."""

import random
import sys


class Board:
    """A position: the edges that are drawn, the score, and who is to move."""

    def __init__(self, rows, cols):
        self.rows, self.cols = rows, cols
        # Horizontal edges come first, row by row from the top, then the vertical ones.
        places = [(2 * c + 1, 2 * r) for r in range(rows + 1) for c in range(cols)]
        places += [(2 * c, 2 * r + 1) for r in range(rows) for c in range(cols + 1)]
        self.names = [f"{chr(ord('a') + x)}{2 * rows + 1 - y}" for x, y in places]
        self.numbers = {name: edge for edge, name in enumerate(self.names)}
        self.beside = [self._beside(x, y) for x, y in places]
        self.clear()

    def _beside(self, x, y):
        """Return the boxes beside an edge; odd places in both directions are boxes."""
        around = [(x, y - 1), (x, y + 1)] if x % 2 else [(x - 1, y), (x + 1, y)]
        inside = [
            (a, b) for a, b in around if 0 < a < 2 * self.cols + 1 and 0 < b < 2 * self.rows + 1
        ]
        return [b // 2 * self.cols + a // 2 for a, b in inside]

    def clear(self):
        self.drawn = set()
        self.sides = [0] * (self.rows * self.cols)
        self.boxes = [0, 0]
        self.mover = 0

    def draw(self, edge, is_opening=False):
        """Draw an edge. Who completes a box moves again; an opening belongs to nobody."""
        self.drawn.add(edge)
        captured = 0
        for box in self.beside[edge]:
            self.sides[box] += 1
            captured += self.sides[box] == 4
        if not is_opening:
            self.boxes[self.mover] += captured
            if not captured:
                self.mover = 1 - self.mover

    def read(self, words):
        """Read the words after ``position``: startpos, or fen and an opening, and perhaps moves."""
        self.clear()
        if words[0] == "fen":
            for edge in filter(None, words[1].split("/")[0].split(",")):
                self.draw(int(edge), is_opening=True)
        if "moves" in words:
            for name in words[words.index("moves") + 1 :]:
                self.draw(self.numbers[name])


def choose(board):
    """Take a box; else draw an edge that gives none away; else any. Your ideas go here."""

    def value(edge):
        sides = [board.sides[box] for box in board.beside[edge]]
        return 2 if 3 in sides else 0 if 2 in sides else 1

    free = [edge for edge in range(len(board.names)) if edge not in board.drawn]
    best = max(map(value, free))
    return random.choice([edge for edge in free if value(edge) == best])


def main():
    board = Board(5, 5)
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ugi":
            print("id name Template in Python")
            print("id version 1")
            print("option name UGI_Size type string default 5x5")
            print("ugiok")
        elif word == "isready":
            print("readyok")
        elif word == "setoption" and rest[1] == "UGI_Size":
            board = Board(*map(int, rest[3].split("x")))
        elif word == "position":
            board.read(rest)
        elif word == "go":
            print("bestmove", board.names[choose(board)])
        elif line.strip() == "query p1turn":
            print("response", "true" if board.mover == 0 else "false")
        elif word == "quit":
            break
        sys.stdout.flush()  # or the lines stay in this process


main()
