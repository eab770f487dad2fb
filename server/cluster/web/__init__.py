"""HTTP at a node: its own probes, and everything else from the node that is the leader."""
