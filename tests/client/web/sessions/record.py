"""Record the sessions again: ``python -m tests.client.web.sessions.record``.

Do this when the messages of the server change. Then look at what `git diff` shows.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Final

from tests.client.web.sessions.recorder import Recorder
from tests.client.web.sessions.scenes import SCENES

FOLDER: Final = Path(__file__).parent / "recorded"


async def recorded(name: str) -> str:
    """Return the lines of a scene's session."""
    recorder: Recorder = await SCENES[name]()
    recorder.world.crash()
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in recorder.lines)


def main() -> None:
    """Write the file of each scene, and remove those of scenes that are gone."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.jsonl"):
        if path.stem not in SCENES:
            path.unlink()
    for name in SCENES:
        text = asyncio.run(recorded(name))
        (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")
        sys.stdout.write(f"{name}: {text.count(chr(10))} steps, {len(text)} bytes\n")


if __name__ == "__main__":
    main()
