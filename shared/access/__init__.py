"""Who may do what, and who did it: API tokens, the audit log."""
