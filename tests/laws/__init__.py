"""Laws of the whole chain, tested on programs that really run."""
