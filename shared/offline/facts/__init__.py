"""Facts that the stand-in extracts from the user's messages."""
