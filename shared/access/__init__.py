"""Who may do what, who did it, and how much of it: API tokens, the audit log, quotas."""
