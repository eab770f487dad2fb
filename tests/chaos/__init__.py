"""Attacks and faults on real servers, and floods of input; see `python -m tests.chaos --help`."""
