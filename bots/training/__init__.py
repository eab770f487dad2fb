"""The training program of the bot `zero`: teachers, samples, the network, its tests, and a run."""
