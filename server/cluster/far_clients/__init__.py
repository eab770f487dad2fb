"""Connections of clients that one node holds and another node serves."""
