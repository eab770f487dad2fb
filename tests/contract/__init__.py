"""What every game and every bot must keep, whoever wrote it."""
