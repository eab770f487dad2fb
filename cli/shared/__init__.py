"""What several commands need: the terminal, questions, child processes."""
