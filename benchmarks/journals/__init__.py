"""The stores that could keep the journal of a cluster, doing the same work."""
