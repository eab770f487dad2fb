"""Stand-ins that belong to the tests."""
