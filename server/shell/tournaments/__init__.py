"""The requests about tournaments, and the server's side of what tournaments need."""
