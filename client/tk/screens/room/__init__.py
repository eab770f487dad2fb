"""The screen of a room: play a match or watch one."""
