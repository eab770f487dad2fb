"""Pure rules of two-player board games: no I/O, no clock, no randomness of their own."""
