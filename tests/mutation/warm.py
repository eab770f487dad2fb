"""Try mutants of functions inside one warm test run: fork, exchange the code, run a few tests.

The run collects the tests once and notes which tests execute which lines. For each mutant it forks;
the child puts the changed code into the living function and runs the tests that execute the line,
fastest first, up to the first failure. That takes tens of milliseconds.
"""

from __future__ import annotations

import functools
import gc
import math
import os
import pickle
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

import coverage
import hypothesis
import pytest

from tests.mutation.operators import FunctionKey, Mutant

KILLED: Final = "killed"
SURVIVED: Final = "survived"
NO_TEST: Final = "no test"

_EXAMPLES: Final = 20
"""How many examples Hypothesis tries for one test."""

_MOST_S: Final = 8.0
"""How many seconds of tests, the fastest of them, one mutant meets."""

_MEMORY: Final = 1 << 30
"""How many bytes a mutant may take beyond what the run has."""


@dataclass
class Forks:
    """Runs functions in forked children, a few at a time, and notes how each ended."""

    workers: int
    results: dict[int, int] = field(default_factory=dict)
    """The exit status of each child by its number; a signal is negative, as at a time limit."""
    running: dict[int, tuple[int, float]] = field(default_factory=dict)

    def start(self, number: int, seconds: float, run: Callable[[], int]) -> None:
        """Fork and call `run`, whose result is the exit status.

        It may take `seconds` of the processor, and much longer by the clock, for a busy machine.
        """
        while len(self.running) >= self.workers:
            self._reap()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            status = 70
            try:
                silence()
                limit = math.ceil(seconds)
                resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
                status = run()
            finally:
                os._exit(status)
        self.running[pid] = number, time.monotonic() + 30 + 5 * seconds

    def finish(self) -> None:
        """Wait for all children."""
        while self.running:
            self._reap()

    def _reap(self) -> None:
        for pid, (number, deadline) in list(self.running.items()):
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                del self.running[pid]
                self.results[number] = os.waitstatus_to_exitcode(status)
                return
        time.sleep(0.002)


@dataclass
class Baseline:
    """Which tests execute which lines, and how long each takes."""

    tests_of: dict[tuple[str, int], list[int]]
    """The numbers of the tests by file and line."""
    seconds: dict[int, float]
    """The seconds of each test that passes, by its number."""


class WarmRun:
    """A plugin that replaces the loop over the tests by a loop over mutants."""

    def __init__(self, mutants: list[Mutant], workers: int, report: Path) -> None:
        self._mutants = mutants
        self._forks = Forks(workers)
        self._report = report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all mutants and write the verdicts, in their order, to the report."""
        cut_hypothesis(session.items)
        gc.unfreeze()
        functions, caches = _living_functions(), living_caches()
        gc.collect()
        gc.freeze()
        baseline = _measure(session.items, self._report)
        seconds = sum(baseline.seconds.values())
        sys.stdout.write(f"{len(baseline.seconds)} tests in {seconds:.0f} s\n")
        verdicts = {}
        for number, mutant in enumerate(self._mutants):
            assert mutant.function is not None
            tests = baseline.tests_of.get((str(mutant.path), mutant.line), [])
            living = functions.get(mutant.function, [])
            if not tests or not living:
                verdicts[number] = NO_TEST
                continue
            total, chosen = 0.0, []
            for test in tests:
                if not chosen or total < _MOST_S:
                    total += baseline.seconds[test]
                    chosen.append(session.items[test])
            self._forks.start(
                number, 3 + 3 * total, lambda m=mutant, f=living, c=chosen: _try(m, f, caches, c)
            )
        self._forks.finish()
        for number, status in self._forks.results.items():
            verdicts[number] = SURVIVED if status == 0 else KILLED
        self._report.write_bytes(pickle.dumps([verdicts[n] for n in range(len(self._mutants))]))
        return True


def silence() -> None:
    """Discard the output of a child."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


def _try(
    mutant: Mutant, functions: list[FunctionType], caches: list[Any], items: list[pytest.Item]
) -> int:
    """Return 0 when all tests pass in spite of the mutant."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (used + _MEMORY, used + _MEMORY))
    assert mutant.function is not None
    code = next(
        code for code, key in _codes(mutant.mutated_code(), mutant.path) if key == mutant.function
    )
    for function in functions:
        function.__code__ = code
    for cached in caches:
        cached.cache_clear()
    return 0 if all(_passes(item, after) for item, after in _pairs(items)) else 1


def _pairs(items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


def _passes(item: pytest.Item, after: pytest.Item | None) -> bool:
    from _pytest.runner import runtestprotocol

    reports = runtestprotocol(item, nextitem=after, log=False)
    return not any(report.failed for report in reports)


def _codes(code: CodeType, path: Path) -> Iterator[tuple[CodeType, FunctionKey]]:
    """Yield the code of the functions of a module, those in classes included."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            name = constant.co_qualname
            yield constant, FunctionKey(str(path), name, constant.co_firstlineno)
            yield from _codes(constant, path)


def _living_functions() -> dict[FunctionKey, list[FunctionType]]:
    found: dict[FunctionKey, list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            code = thing.__code__
            key = FunctionKey(code.co_filename, code.co_qualname, code.co_firstlineno)
            found[key].append(thing)
    return found


def living_caches() -> list[Any]:
    """Return the functions of ours that `functools.cache` wraps.

    The collection has called some of them. Their results are those of the unchanged code.
    """
    wrapper = type(functools.cache(len))
    root = str(Path.cwd())
    wrapped = [thing for thing in gc.get_objects() if isinstance(thing, wrapper)]
    codes = [(thing, getattr(thing.__wrapped__, "__code__", None)) for thing in wrapped]
    return [thing for thing, code in codes if code and code.co_filename.startswith(root)]


class FewExamples:
    """A plugin with which Hypothesis tries few examples, as the time of a mutant demands."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Change the settings of all collected tests."""
        cut_hypothesis(session.items)


def cut_hypothesis(items: list[pytest.Item]) -> None:
    """Let Hypothesis try few examples, the same each time, and not shrink what fails."""
    few: dict[str, Any] = {
        "derandomize": True,
        "database": None,
        "deadline": None,
        "phases": (hypothesis.Phase.explicit, hypothesis.Phase.generate),
        "suppress_health_check": list(hypothesis.HealthCheck),
    }
    hypothesis.settings.register_profile("mutants", max_examples=_EXAMPLES, **few)
    hypothesis.settings.load_profile("mutants")
    for item in items:
        test = getattr(getattr(item, "obj", None), "__func__", getattr(item, "obj", None))
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if own is not None:
            examples = min(own.max_examples, _EXAMPLES)
            settings = hypothesis.settings(own, max_examples=examples, **few)
            test._hypothesis_internal_use_settings = settings


def _measure(items: list[pytest.Item], scratch: Path) -> Baseline:
    """Run all tests once, in a child, and note what each executes and how long it takes."""

    def run() -> int:
        tracer = coverage.Coverage(data_file=None, config_file=False, source=["."])
        tracer.start()
        seconds = {}
        for number, (item, after) in enumerate(_pairs(items)):
            tracer.switch_context(str(number))
            start = time.perf_counter()
            if _passes(item, after):
                seconds[number] = time.perf_counter() - start
        tracer.stop()
        data = tracer.get_data()
        lines = {
            (path, line): sorted((int(c) for c in names if c), key=lambda n: seconds.get(n, 0))
            for path in data.measured_files()
            for line, names in data.contexts_by_lineno(path).items()
        }
        tests_of = {k: [n for n in names if n in seconds] for k, names in lines.items()}
        scratch.write_bytes(pickle.dumps(Baseline(tests_of, seconds)))
        return 0

    forks = Forks(1)
    forks.start(0, 1200, run)
    forks.finish()
    if forks.results[0]:
        raise RuntimeError("The tests could not be measured; run them alone and mend them first.")
    return pickle.loads(scratch.read_bytes())
