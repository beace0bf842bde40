"""The facts on record: learned from messages; stated, corrected and deleted by the user."""
