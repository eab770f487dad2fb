"""How fast and how large the searches are: `python -m benchmarks.search`."""
