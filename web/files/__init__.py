"""Files that are written for the user, and how they are sent."""
