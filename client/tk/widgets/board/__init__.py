"""The board and what stands beside it."""
