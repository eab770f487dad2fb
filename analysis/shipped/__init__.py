"""Read the data files that come with the package. The rest of `analysis` has no I/O."""
