"""Pure statistics of games between players: game pairs, intervals, tests, ratings."""
