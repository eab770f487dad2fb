"""The queue of finished games whose reviews have to be made, without I/O."""
