"""Pure statistics of games between players: game pairs, intervals, sequential tests, ratings."""
