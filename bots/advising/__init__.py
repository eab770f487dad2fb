"""Give advice and values: the process that thinks about positions, and who asks it."""
