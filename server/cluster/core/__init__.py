"""The rules of the cluster without I/O: leases of logs, and links between nodes."""
