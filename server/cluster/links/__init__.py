"""Carry items between nodes over NATS, in order, or say that the link broke."""
