"""Dots and Boxes: rules, board tables, openings, structure and notation."""
