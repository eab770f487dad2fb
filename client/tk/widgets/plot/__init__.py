"""The plot of the score over a game."""
