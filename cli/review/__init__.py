"""The command `review`, and the processes that analyse games."""
