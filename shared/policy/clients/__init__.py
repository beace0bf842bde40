"""Reads the messages that clients of OpenAI's protocol resend, and recognises them. Pure."""
