"""Measured with a real model: `python -m bench.real_model PART`, or without PART what there is.

The model is the one of `LLM_API_BASE`, `LLM_MODEL` and `LLM_API_KEY`; without one, what needs one
says that it is skipped.
"""
