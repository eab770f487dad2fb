"""Tests of the commands about clusters."""
