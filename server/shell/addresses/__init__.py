"""Admission by address: who a connection comes from, and what one address may do."""
