"""What knows IPython: the magics, and which cell runs now."""
