"""How the reading model reads, one question of reading per module."""
