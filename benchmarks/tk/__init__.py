"""How fast the window's board is: `python -m benchmarks.tk`."""
