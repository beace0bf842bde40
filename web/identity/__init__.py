"""Who a request acts for: API tokens, a local site's token, a proxy's user; and the audit log."""
