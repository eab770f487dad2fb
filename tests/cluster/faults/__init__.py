"""Bot games on real nodes of a cluster whose processes, servers and networks fail."""
