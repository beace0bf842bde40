"""Facts on record: learned from what was said, or stated, corrected and deleted by the user."""
