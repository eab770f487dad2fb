"""The bot `zero`: a search that is guided by a neural network which taught itself."""
