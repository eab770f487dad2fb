"""Search kernels, compiled by numba, on numpy arrays and 64-bit words; and their callers."""
