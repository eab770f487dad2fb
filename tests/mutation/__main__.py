"""Change the code in small ways and report which changes no test notices.

`python -m tests.mutation games stats` tries the mutants of two packages. Mutants of functions run
in a warm process; those of constants, defaults and fields need fresh imports, which takes seconds.
The exit status is 1 when fewer than the wanted share of the mutants are killed.
"""

from __future__ import annotations

import argparse
import importlib.machinery
import math
import os
import pickle
import random
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from typing import Final

import hypothesis  # noqa: F401  Loaded once, before the forks.
import msgpack  # noqa: F401
import numpy  # noqa: F401
import pydantic  # noqa: F401
import pytest

from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.warm import KILLED, SURVIVED, FewExamples, Forks, WarmRun

ROOT: Final = Path(__file__).resolve().parents[2]

TESTS: Final = {
    "games": ("tests/playthroughs", "tests/contract/test_games_contract.py", "tests/games"),
    "stats": ("tests/stats",),
    "protocol": ("tests/protocol",),
    "server/core": ("tests/server/core",),
    "client/core": ("tests/client/core",),
}
"""The packages with the tests that mirror them."""

MORE: Final = (
    "tests/contract/test_games_openings.py",
    "tests/server/store/test_sql.py",
    "tests/server/shell/test_recovery.py",
)
"""Further tests without processes that mutants of functions meet."""

SKIPPED: Final = ("protocol/documentation/__main__.py", "protocol/documentation/files.py")
"""Files that only commands of developers run."""

_FRESH_S: Final = 180
"""How many seconds of the processor the tests of a package may take."""

OPTIONS: Final = (
    *("-q", "-x", "--disable-warnings", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *(
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        "-m",
        "not window and not processes and not search and not slow",
    ),
)


def main() -> int:
    """Run the command."""
    arguments = _arguments()
    os.chdir(ROOT)
    packages = arguments.packages or list(TESTS)
    chance = random.Random(arguments.seed)
    warm, fresh = [], []
    counts = Counter()
    for package in packages:
        found = [m for path in _files(package) for m in mutants_of(path)]
        found = [m for m in found if not arguments.only or arguments.only in str(m.path)]
        if arguments.again is not None:
            survivors = arguments.again.read_text(encoding="utf-8").splitlines()
            found = [m for m in found if any(line.endswith(_shown(m)) for line in survivors)]
        inner = [m for m in found if m.function is not None]
        outer = [m for m in found if m.function is None]
        counts.update(map(_kind_of, found))
        warm += _sample(inner, arguments.sample, chance)
        fresh += _sample(outer, arguments.imports, chance)
    if arguments.control:
        warm = [mutant.without_change() for mutant in warm]
        fresh = [mutant.without_change() for mutant in fresh]
    verdicts = _try_warm(warm, packages, arguments.workers)
    verdicts += _try_fresh(fresh, arguments.workers)
    if arguments.control:
        return _report_control([*warm, *fresh], verdicts)
    return _report([*warm, *fresh], verdicts, counts, arguments.least)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("packages", nargs="*", help="all when none is named")
    parser.add_argument("--sample", type=int, default=400, help="mutants of functions per package")
    parser.add_argument("--imports", type=int, default=40, help="mutants of constants per package")
    parser.add_argument("--seed", type=int, default=1, help="chooses the samples")
    parser.add_argument("--only", default="", help="part of the paths of the files to change")
    parser.add_argument("--again", type=Path, help="an earlier report: only its survivors")
    parser.add_argument(
        "--control", action="store_true", help="change nothing: what is killed then is an error"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--least", type=float, default=0.9, help="share that must be killed")
    return parser.parse_args()


def _files(package: str) -> list[Path]:
    paths = sorted((ROOT / package).rglob("*.py"))
    return [path for path in paths if path.relative_to(ROOT).as_posix() not in SKIPPED]


def _sample(mutants: list[Mutant], most: int, chance: random.Random) -> list[Mutant]:
    if len(mutants) <= most:
        return mutants
    return [mutants[index] for index in sorted(chance.sample(range(len(mutants)), most))]


def _package_of(mutant: Mutant) -> str:
    path = mutant.path.relative_to(ROOT).as_posix()
    return next(package for package in TESTS if path.startswith(f"{package}/"))


def _kind_of(mutant: Mutant) -> str:
    """Return the line of the report in which a mutant counts."""
    return f"{_package_of(mutant)}, {'imports' if mutant.function is None else 'functions'}"


def _try_warm(mutants: list[Mutant], packages: list[str], workers: int) -> list[str]:
    """Return the verdicts on mutants of functions; the imports stay in a child."""
    if not mutants:
        return []
    tests = [*(path for package in packages for path in TESTS[package]), *MORE]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                status = pytest.main([*OPTIONS, *tests], [WarmRun(mutants, workers, report)])
            except Exception:
                traceback.print_exc()  # What comes next ends the child at once.
                raise
            finally:
                sys.stdout.flush()
                os._exit(int(status))
        os.waitpid(pid, 0)
        return pickle.loads(report.read_bytes())


def _try_fresh(mutants: list[Mutant], workers: int) -> list[str]:
    """Return the verdicts on mutants that imports run: each child imports our code anew."""
    forks = Forks(workers)

    def run(package: str) -> int:
        return int(pytest.main([*OPTIONS, *TESTS[package]], [FewExamples()]))

    def run_mutated(mutant: Mutant) -> int:
        _import_mutated(mutant)
        return run(_package_of(mutant))

    packages = sorted({_package_of(mutant) for mutant in mutants})
    for number, package in enumerate(packages):
        forks.start(number, _FRESH_S, partial(run, package))
    forks.finish()
    if failed := [package for n, package in enumerate(packages) if forks.results[n]]:
        raise RuntimeError(f"The tests of {', '.join(failed)} fail without a mutant; mend them.")
    for number, mutant in enumerate(mutants):
        forks.start(number, _FRESH_S, partial(run_mutated, mutant))
    forks.finish()
    return [SURVIVED if forks.results[n] == 0 else KILLED for n in range(len(mutants))]


def _import_mutated(mutant: Mutant) -> None:
    """Let the import system find the changed code of one file."""
    original = importlib.machinery.SourceFileLoader.get_code
    code = mutant.mutated_code()

    def get_code(self: importlib.machinery.SourceFileLoader, name: str) -> object:
        changed = self.get_filename(name) == str(mutant.path)
        return code if changed else original(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code


def _report(mutants: list[Mutant], verdicts: list[str], counts: Counter[str], least: float) -> int:
    """Print the survivors and the share of killed mutants with its 95% interval (Wilson).

    Mutants of functions and those that need fresh imports have figures of their own.
    """
    tables: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for mutant, verdict in zip(mutants, verdicts, strict=True):
        tables[_kind_of(mutant)][verdict] += 1
        if verdict != KILLED:
            sys.stdout.write(f"{verdict}\t{_shown(mutant)}\n")
    enough = True
    for kind, table in tables.items():
        killed, tried = table[KILLED], sum(table.values())
        low, high = _wilson(killed, tried)
        enough &= killed >= least * tried
        sys.stdout.write(
            f"{kind}: {counts[kind]} mutants, {tried} tried, {killed} killed,"
            f" {table[SURVIVED]} survived, {table['no test']} without a test;"
            f" {killed / tried:.1%} [{low:.1%}, {high:.1%}]\n"
        )
    return 0 if enough else 1


def _report_control(mutants: list[Mutant], verdicts: list[str]) -> int:
    """Print what was killed although nothing had changed."""
    killed = [m for m, verdict in zip(mutants, verdicts, strict=True) if verdict == KILLED]
    for mutant in killed:
        sys.stdout.write(f"killed without a change\t{_shown(mutant)}\n")
    sys.stdout.write(f"{len(killed)} of {len(mutants)} killed without a change\n")
    return 1 if killed else 0


def _shown(mutant: Mutant) -> str:
    place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
    return f"{place}\t{mutant.function.name if mutant.function else ''}\t{mutant.text}"


def _wilson(successes: int, tries: int) -> tuple[float, float]:
    z, share = 1.96, successes / tries
    middle = share + z * z / (2 * tries)
    spread = z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    return (middle - spread) / (1 + z * z / tries), (middle + spread) / (1 + z * z / tries)


if __name__ == "__main__":
    sys.exit(main())
