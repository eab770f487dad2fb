"""Takebacks: the players return to an earlier position of their match."""
