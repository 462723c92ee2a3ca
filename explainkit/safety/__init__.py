"""The boundary between a user's live objects and the record: encode, redact, bound, escape."""
