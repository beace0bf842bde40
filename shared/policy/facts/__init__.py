"""The rules for facts: which proposals count, which slot they mean, what may replace what."""
