"""A package, so that what its fixtures share ends after its last test."""
