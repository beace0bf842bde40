"""Events on their way out: to pages that follow them, and to users' webhooks."""
