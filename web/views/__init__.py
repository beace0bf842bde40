"""Blueprints, one a file."""
