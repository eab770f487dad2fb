"""Measure how fast the window draws: `python -m benchmarks.tk`."""
