"""The lobby screen."""
