"""The rooms of the logs that a node owns, which obey the hall and report to it."""
