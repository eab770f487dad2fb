"""The gateway of a node: the connections of clients, whose requests other nodes may answer."""
