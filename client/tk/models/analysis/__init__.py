"""Decide what the window shows of an analysis: costs, mistakes, values, better lines."""
