"""The rules of leases, without I/O: time is a parameter."""
