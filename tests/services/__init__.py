"""Real servers and broken networks for the tests of clusters."""
