"""Tests of the model of large clusters."""
