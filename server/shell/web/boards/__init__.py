"""The HTTP interface for clients that know no rules: games, geometries, positions, features."""
