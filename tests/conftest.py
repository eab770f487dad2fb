"""The kernels of the searches are compiled before the first test, which no timeout could bear."""

from __future__ import annotations

import pytest

_PLAIN = {"fakes", "games", "protocol", "server", "stats"}
"""The folders whose tests have no bot that searches."""


def pytest_collection_finish(session: pytest.Session) -> None:
    here = session.config.rootpath / "tests"
    folders = {item.path.relative_to(here).parts[0] for item in session.items}
    if session.config.option.collectonly or folders <= _PLAIN:
        return
    from bots.engine.engine import prepare as prepare_engine
    from bots.mcts.dots import warm_up_kernels
    from bots.search.exact.solver import prepare as prepare_solver

    prepare_engine()
    warm_up_kernels()
    prepare_solver()
