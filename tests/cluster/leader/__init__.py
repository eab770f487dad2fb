"""Tests of the leader of a cluster, without PostgreSQL and NATS."""
