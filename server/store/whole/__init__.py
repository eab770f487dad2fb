"""Read and write whole databases, for commands of the host."""
