"""The account pages, one file a matter."""
