"""The training program of the bot `zero`: teachers, samples, the net, its tests, and a run."""
