"""Find the folder for databases that nobody names."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

ROOT = Path(__file__).resolve().parents[1]


def data_folder() -> Path:
    """Return ``var`` of this checkout in the checkout, and the user's data folder elsewhere."""
    is_checkout = (ROOT / "pyproject.toml").is_file()
    if is_checkout and Path.cwd().is_relative_to(ROOT):
        return ROOT / "var"
    return user_data_path("doublecross")
