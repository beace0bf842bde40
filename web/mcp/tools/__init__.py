"""The tools, one file each, or two that belong together."""
