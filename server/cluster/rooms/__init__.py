"""Run the rooms of the logs that a node owns; obey the leader, and report to it."""
