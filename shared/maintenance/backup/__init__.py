"""Backups of a site: a folder with a dump, sealed secrets and a manifest."""
