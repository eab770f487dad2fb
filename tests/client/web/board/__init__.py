"""Tests of the board of the browser page."""
