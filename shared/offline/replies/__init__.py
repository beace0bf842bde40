"""The stand-in's replies to a user."""
