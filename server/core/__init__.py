"""The server's rules without I/O: rooms, matches, clocks, lobby and ratings."""
