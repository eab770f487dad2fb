"""The version of what judges games, by which a server knows which stored reports are current."""

from __future__ import annotations

from typing import Final

JUDGE_VERSION: Final = "2"
"""Raise it with each change of the judge (`judge.py`), of the report or of its sentences
(`analysis/`) that makes other reports; servers then make stored reports again.
"""
