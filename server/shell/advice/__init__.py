"""Advice for people who play bots: who may ask, who thinks, and in which order."""
