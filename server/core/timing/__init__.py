"""Time in a match: its clock, the deadlines that follow from it, and who is present."""
