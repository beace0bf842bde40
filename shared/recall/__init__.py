"""Retrieval: what a prompt is given, and what the search page finds.

`query` reads a query and `spelling` corrects it, `messages` and `episodes` search, `quotes` turns
found messages into text. `prompt` gathers all that a round's prompt is given, `search` all that the
search page shows, `traces` what a reply was given. `newest_turns` reads the conversation itself.
"""
