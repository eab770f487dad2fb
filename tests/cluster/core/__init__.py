"""Tests of `doublecross.server.cluster.core`."""
