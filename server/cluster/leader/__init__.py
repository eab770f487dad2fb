"""The leader: lobby, names, ratings and tournaments of a cluster, whose rooms other nodes run."""
