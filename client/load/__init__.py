"""Play many rooms as players that cost little, and measure how soon a server answers them."""
