"""Widgets of the lobby."""
