"""Tests of whole nodes on real PostgreSQL and NATS servers."""
