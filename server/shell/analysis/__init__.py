"""Analysis of games and positions, which other processes make: reviews, advice and values."""
