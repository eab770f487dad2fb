"""The storage of events, players, finished games and tournaments in a database."""
