"""What a node offers over HTTP: its own probes, and all else from the node that is the hall."""
