"""Rooms and their matches: state machines that take commands and time, and return events."""
