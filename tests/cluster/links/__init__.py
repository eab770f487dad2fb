"""Tests of `server.cluster.links`."""
