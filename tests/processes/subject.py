"""A child process for the tests; its first argument selects its behaviour."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

import psutil

from doublecross import bots
from doublecross.processes.child import Child
from doublecross.processes.parent import Message, Parent

MODULE = "tests.processes.subject"
SLEEP = (sys.executable, "-c", "import time; time.sleep(600)")


def main() -> int:
    behaviour = sys.argv[1]
    if behaviour == "leave":
        sys.stderr.write("Error: The house is on fire.\n")
        return int(sys.argv[2])
    return BEHAVIOURS[behaviour]()


def echo() -> int:
    """Answer each line, and exit when the input ends."""
    parent, lines = _listen(grace_s=30.0)
    parent.send({"pid": os.getpid(), "arguments": sys.argv[2:]})
    while line := lines.get():
        parent.send({"got": line.decode()})
    return 0


def prints() -> int:
    """Print and read standard input, as third-party code may."""
    parent, lines = _listen()
    sys.stdout.write("to be ignored\n")
    sys.stdout.flush()
    os.write(1, b"and this\n")
    said: Message = {"read": sys.stdin.read(), "pid": os.getpid()}
    subprocess.run([sys.executable, "-c", "print('and that')"], check=True)
    parent.send(said)
    lines.get()
    return 0


def spin() -> int:
    """Block the thread that would notice the parent's end."""
    parent, _ = _listen()
    sys.setswitchinterval(1000.0)
    parent.send({"pid": os.getpid()})
    while True:
        pass


def spawn() -> int:
    """Start a process and wait."""
    parent, _ = _listen(grace_s=0.0)
    parent.send({"pid": os.getpid(), "spawned": subprocess.Popen(SLEEP).pid})
    time.sleep(600)
    return 0


def ignores_end() -> int:
    """Ignore the end of the input, except for the grace period."""
    parent, _ = _listen(grace_s=0.2)
    parent.send({"pid": os.getpid()})
    time.sleep(600)
    return 0


def fork() -> int:
    """Leave a process behind that keeps the output open."""
    parent, _ = _listen()
    if (pid := os.fork()) == 0:
        time.sleep(600)
    parent.send({"pid": os.getpid(), "spawned": pid})
    os._exit(3)


def eat() -> int:
    parent, lines = _listen()
    try:
        parent.send({"bytes": len(bytes(4 << 30))})
    except MemoryError:
        parent.send({"bytes": None})
    lines.get()
    return 0


def gibberish() -> int:
    parent, lines = _listen()
    os.write(parent._answers.fileno(), sys.argv[2].encode() * int(sys.argv[3]))
    lines.get()
    return 0


def where() -> int:
    parent, lines = _listen()
    here = str(Path(bots.__file__).parent.parent)
    parent.send({"bots": here, "path": sys.path, "isolated": sys.flags.isolated})
    lines.get()
    return 0


def about() -> int:
    """Say what this process has inherited, and in which memory it runs."""
    parent, lines = _listen()
    rollup = Path("/proc/self/smaps_rollup").read_text().splitlines()
    sizes = (line.split() for line in rollup if line.endswith(" kB"))
    parent.send(
        {
            "pid": os.getpid(),
            "parent": os.getppid(),
            "niceness": os.nice(0),
            "folder": str(Path.cwd()),
            "variable": os.environ.get("DOUBLECROSS_SUBJECT"),
            # Some versions of libffi keep their own file open.
            "files": sum(not file.is_file() for file in Path("/proc/self/fd").iterdir()) - 1,
            "threads": sum(1 for _ in Path("/proc/self/task").iterdir()),
            "modules": [name for name in sys.argv[2:] if name in sys.modules],
            "memory": {name.rstrip(":"): int(size) for name, size, _ in sizes},
            "numbers": random.random(),
        }
    )
    lines.get()
    return 0


def saves() -> int:
    """Write a file when the input ends."""
    parent, lines = _listen(grace_s=30.0)
    parent.send({"pid": os.getpid()})
    lines.get()
    Path(os.environ["DOUBLECROSS_SUBJECT"]).write_text("all")
    return 0


def nested() -> int:
    """Have an expendable child that never ends by itself."""
    parent, lines = _listen(grace_s=30.0)

    async def wait() -> None:
        child = await Child.start("The grandchild", MODULE, "spin", expendable=True)
        grandchild = await child.expect()
        about = psutil.Process(grandchild["pid"])
        parent.send({"pid": os.getpid(), "spawned": about.pid, "its_parent": about.ppid()})
        await asyncio.to_thread(lines.get)
        await child.stop(0.0)

    asyncio.run(wait())
    return 0


def _listen(grace_s: float = 0.0) -> tuple[Parent, SimpleQueue[bytes]]:
    lines: SimpleQueue[bytes] = SimpleQueue()
    parent = Parent(grace_s)
    parent.on_end = lambda: lines.put(b"")
    parent.listen(lines.put)
    return parent, lines


BEHAVIOURS: dict[str, Callable[[], int]] = {
    behaviour.__name__: behaviour
    for behaviour in (
        *(echo, prints, spin, spawn, ignores_end, fork, eat, gibberish, where),
        *(about, saves, nested),
    )
}
