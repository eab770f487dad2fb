"""Make samples: exact labels, and games of a network against itself."""
