"""Find damage and contradictions in the database of a server, without changing it."""
