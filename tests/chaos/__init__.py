"""Attacks on a real server, faults of its machine and its network, and floods of input."""
