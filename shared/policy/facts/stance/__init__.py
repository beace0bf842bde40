"""Stance: whether users state something about themselves, or deny, ask, imagine or quote it."""
