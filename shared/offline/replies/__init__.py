"""The stand-in's replies."""
