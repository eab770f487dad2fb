"""The hall: lobby, ratings and tournaments of a cluster, whose rooms other nodes run."""
