"""The core of the server: rooms, matches, clocks, lobby and ratings, without I/O."""
