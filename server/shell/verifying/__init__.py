"""Find what is wrong in the database of a server, without changing it."""
