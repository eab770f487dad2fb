"""Train the network of the bot `zero`, report a run, and test networks: `doublecross train`."""
