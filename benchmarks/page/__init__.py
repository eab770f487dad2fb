"""Measure the browser page in Chromium: first visits, moves, and what many loads cost others."""
