"""The command that opens the window, and the processes that help it."""
