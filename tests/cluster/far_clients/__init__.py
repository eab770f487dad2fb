"""Tests of connections that one node holds and another node serves."""
