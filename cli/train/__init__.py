"""`doublecross train`: trains the net of the bot `zero`, reports a run, and tests nets."""
