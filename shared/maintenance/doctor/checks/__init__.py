"""The checks, one file a subject. Each gets the site and returns what it finds."""
