"""The view models of the game screen."""
