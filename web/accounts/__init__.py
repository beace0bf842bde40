"""Accounts of the site's own: AUTH_MODE=password and oidc. Loaded in these modes alone.

Rules are in `names` and `passwords`, what a browser holds in `registration` and `signed_in`, the
pages in `views`.
"""

#: Account pages that are open to people who are not signed in.
DOORS = frozenset(
    {
        "accounts.sign_in",
        "accounts.choose_language",
        "accounts.sign_up",
        "accounts.second_factor",
        "accounts.reset",
        "accounts.oidc_start",
        "accounts.oidc_callback",
    }
)
