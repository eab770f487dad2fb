"""Decide what the windows show, as plain values and classes without Tk."""
