"""Run bots in processes of their own: for a server, for a window, and in matches of many games."""
