"""Things that a machine starts: Agents, effects and gates."""
