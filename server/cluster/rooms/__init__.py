"""Run the rooms of the logs that a node owns; obey the hall, and report to it."""
