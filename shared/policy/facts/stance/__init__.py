"""Stance: whether the user states something of themself, or denies, asks, imagines or quotes it."""
