"""Give advice and values: the process that thinks, and who asks it."""
