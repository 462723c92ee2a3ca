"""What-if: change what a run was given, run it again, and say with numbers what that shows.

statistics   the one place that turns flips of two arms into a word
searching    which question to ask next: minimal sets, roles, Shapley values, bisection
"""
