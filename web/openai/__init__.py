"""The doors for clients of OpenAI's protocol, under `/v1`."""
