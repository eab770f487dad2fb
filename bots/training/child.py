"""The process that does the jobs of a run: it reads jobs as lines, and answers each with a line."""

from __future__ import annotations

import json
import queue
import sys
import traceback
from pathlib import Path

from doublecross.bots.api import BotError
from doublecross.bots.training.folder import disk_sentence
from doublecross.bots.training.settings import TrainError
from doublecross.processes.installation import how_to_add
from doublecross.processes.parent import Parent


def main() -> None:
    """Run as a child of the supervisor; the argument is the folder of the run."""
    parent = Parent()
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    parent.listen(requests.put)
    folder = Path(sys.argv[1])
    try:
        # Here, because importing torch takes seconds and may fail.
        from doublecross.bots.training.jobs import Jobs

        jobs = Jobs(folder)
        parent.send({"ready": True})
        while True:
            parent.send(jobs.do(json.loads(requests.get())))
    except (TrainError, BotError) as error:
        parent.send({"failed": str(error)})
    except OSError as error:
        parent.send({"failed": disk_sentence(error, folder)})
    except ModuleNotFoundError as error:
        parent.send({"failed": missing_sentence(error.name or "")})
    except MemoryError:
        parent.send({"failed": "There is too little memory. Train with fewer workers or sizes."})
    except Exception as error:  # noqa: BLE001 - the parent reports it
        traceback.print_exc()
        parent.send({"failed": f"A job failed ({type(error).__name__}: {error})."})


def missing_sentence(package: str) -> str:
    """Return what to tell people when a package is not installed."""
    return (
        f"Training needs the package {package}, which is not installed:"
        f" {how_to_add('engines', 'train')}"
    )
