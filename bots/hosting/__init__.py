"""Run bots for a server or a window in processes of their own."""
