"""The command that opens the window, and the child processes that help it."""
