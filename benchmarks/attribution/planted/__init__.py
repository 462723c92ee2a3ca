"""Runs whose cause is known because it was planted, and how well the product finds it again."""
