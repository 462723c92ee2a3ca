"""Runs that everybody can see offline: no key, no network, the same bytes every time."""
