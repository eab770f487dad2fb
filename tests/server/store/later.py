"""Let the program have a later revision of its tables than it has."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest

from doublecross.server.store import migrate

LATER: Final = "9001"
_MIGRATION: Final = """
import sqlalchemy as sa
from alembic import op

revision = "{later}"
down_revision = "{newest}"


def upgrade():
    op.add_column("reviews", sa.Column("later", sa.String(), nullable=True))
"""


def add_revision(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a migration with the revision `LATER`; `folder` gets the files of all migrations."""
    scripts = folder / "migrations"
    shutil.copytree(Path(migrate.__file__).parent / "migrations", scripts)
    text = _MIGRATION.format(later=LATER, newest=migrate.revisions()[-1])
    (scripts / "versions" / f"r{LATER}_later.py").write_text(text)
    monkeypatch.setattr(migrate, "_SCRIPTS", scripts)
