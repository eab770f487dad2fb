"""A process that owns a program, whose child leaves its session."""

from __future__ import annotations

from doublecross.processes.parent import Parent
from doublecross.processes.program import Command, Program

ESCAPES = "setsid sleep 1000 & echo $!; exec sleep 1000"
"""A program whose child leaves its session."""


def main() -> None:
    parent = Parent()
    parent.listen()
    program = Program(Command(("sh", "-c", ESCAPES), patience_s=0.1))
    escaped = int(program.receive(20) or 0)
    parent.send({"escaped": escaped})
    program.receive(1000)
