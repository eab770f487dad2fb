"""Plays games with nets and measures them: against the truth, each other, and other bots."""
