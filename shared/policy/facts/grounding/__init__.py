"""Grounding: whether a message says a value, by its words, numbers, names and dates."""
