"""The settings of `doublecross serve`: from flags, variables, one TOML file and defaults."""
