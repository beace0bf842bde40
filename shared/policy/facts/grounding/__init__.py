"""Grounding: does a message say this value? By words, numbers, names and dates, in any language."""
