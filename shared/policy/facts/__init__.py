"""Facts by rule: which candidates count, which slot they mean, what may replace what."""
