"""What is measured, each benchmark one command: `python -m benchmarks.server` and its kin."""
