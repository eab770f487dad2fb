"""What the window shows of the analysis of a game: costs, mistakes, values, better lines."""
