"""Measurements of a real model: `python -m bench.real_model [PART]`; all parts without PART.

The model is set by `LLM_API_BASE`, `LLM_MODEL` and `LLM_API_KEY`. Without them, the parts that need
a model print that they are skipped. Results are in docs/models.md.
"""
