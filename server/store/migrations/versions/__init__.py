"""One file a step, oldest first; a published step never changes."""
