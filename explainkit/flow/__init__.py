"""Things that run: models here, and what is composed of them beside it."""
