"""`doublecross train`: trains the network of the bot `zero`, reports a run, and tests networks."""
