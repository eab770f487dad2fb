"""Tests that benchmarks run the source tree that they are told, and time its start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.processes import ROOT, Process
from benchmarks.start import start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="benchmarks are made for Linux")


def test_a_program_imports_the_package_of_its_own_tree(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").touch()
    (tmp_path / "where.py").write_text(
        'import json, doublecross\nprint(json.dumps({"it": doublecross.__file__}))\n'
    )
    with Process("where", root=tmp_path) as child:
        assert Path(child.read()["it"]).resolve() == tmp_path / "__init__.py"


def test_a_start_takes_time() -> None:
    took_s, used_s = start(ROOT)
    assert took_s > 0
    assert used_s > 0
