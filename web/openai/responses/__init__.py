"""OpenAI's Responses API: the same rounds in another form."""
