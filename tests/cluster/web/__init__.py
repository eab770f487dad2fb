"""Tests of what nodes offer over HTTP, with calls in memory."""
