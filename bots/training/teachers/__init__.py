"""Makes samples: exact labels, and games of a net against itself."""
