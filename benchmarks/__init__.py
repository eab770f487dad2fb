"""The benchmarks. Each is one command, such as `python -m benchmarks.server`."""
