"""Attacks and faults on real servers; `python -m tests.chaos.floods` measures the floods."""
