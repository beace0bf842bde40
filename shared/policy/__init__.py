"""Pure decisions: a value in, a decision out. No I/O, no clock, no randomness, no environment."""
