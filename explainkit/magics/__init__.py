"""What knows IPython: which cell runs now."""
