"""Tests of the files in `deploy/`, with the programs that they are for."""
