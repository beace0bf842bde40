"""A user's data as a whole: export, import, erasure."""
