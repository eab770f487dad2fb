"""Search kernels, compiled by numba, on numpy arrays and words of bits; and their callers."""
