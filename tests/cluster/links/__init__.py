"""Tests of `doublecross.server.cluster.links`."""
