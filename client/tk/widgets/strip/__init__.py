"""The strip above all screens, in which messages about connections, challenges and games appear."""
