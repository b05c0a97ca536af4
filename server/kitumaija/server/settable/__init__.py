"""What an organizer sets for a tournament: one table, read from and written as TOML."""
