"""Find the files and databases of a server on this machine."""
