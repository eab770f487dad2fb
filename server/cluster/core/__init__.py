"""Leases without I/O: the interface of their storage, deadlines, and who takes what."""
