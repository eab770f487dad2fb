"""Tests of `server.cluster.core`."""
