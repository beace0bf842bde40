"""The ways to a model: a function each, which takes a request and yields the answer's `Chunk`s.

`stand_in` answers in this process. `direct` asks the server at `LLM_API_BASE`, which speaks
OpenAI's protocol. `through_litellm` asks all others.
"""
