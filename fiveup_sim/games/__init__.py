"""Single games: played, and kept as records that explain themselves."""
