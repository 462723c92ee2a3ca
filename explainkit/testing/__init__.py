"""For users' own tests: what a valid trace is, as data to build and as Hypothesis strategies."""
