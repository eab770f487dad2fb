"""Websockets: an own protocol for short whole frames, and the library for everything unusual."""
