"""OAuth for programs that speak the Model Context Protocol, where the site has accounts.

A program registers itself, sends its user's browser to the consent page, and exchanges the code for
an access token, which is an API token of an hour, and a refresh token. The SDK's handlers check the
requests; what is here keeps clients and grants.
"""
