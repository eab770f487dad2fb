"""Connect Four on boards of any size, with any number in a row to win."""
