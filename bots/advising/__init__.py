"""Give advice and values: a process that thinks about positions, and the code that asks it."""
