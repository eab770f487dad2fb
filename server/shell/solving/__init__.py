"""Keep what players learn, and let them solve puzzles for a rating or in a storm."""
