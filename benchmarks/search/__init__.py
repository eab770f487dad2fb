"""Measure the speed and the size of searches: `python -m benchmarks.search`."""
