"""The engine of the strong Dots and Boxes bots: exact search late in the game, sampling before."""
