"""Real PostgreSQL and NATS servers and broken networks, for tests and benchmarks."""
