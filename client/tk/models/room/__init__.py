"""View models of the game screen."""
