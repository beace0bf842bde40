"""Who may do what: API tokens."""
