"""Figures of a running server for monitoring, in the text format of Prometheus."""
