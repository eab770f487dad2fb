"""Bots that are programs of their own: they speak over standard input and output."""
