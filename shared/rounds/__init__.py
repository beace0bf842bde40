"""One round: a user message and the assistant's reply to it, from the first write to the last."""
