"""Dots and Boxes: rules, tables of a board, openings, structure and notation."""
