"""Play games with networks and measure them: against the truth, each other, and other bots."""
