"""The shortest bot, for `lines:python3 lines.py`: it draws any free edge."""

import random

game, size = input().split()
rows, cols = map(int, size.split("x"))
lattice = [(x, y) for x in range(2 * cols + 1) for y in range(2 * rows + 1)]
free = {f"{chr(97 + x)}{y + 1}" for x, y in lattice if (x + y) % 2}
while True:
    free -= set(input().split())
    move = random.choice(sorted(free))
    free.remove(move)
    print(move, flush=True)
