"""Tests of the hall of a cluster, without PostgreSQL and NATS."""
