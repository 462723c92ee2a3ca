"""What-ifs on screen: the verdict with its numbers, before and after, what ran and what did not."""
