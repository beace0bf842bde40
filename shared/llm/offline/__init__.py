"""`offline/extractive`: a stand-in for a language model that needs no network.

It understands nothing. It finds sentences by the words they share, and facts by fixed
patterns, so that memory can be seen to work before a real model is set. The same input gives
the same output. Limits: English only; no arithmetic, no dates worked out, no pronouns resolved;
a fact put in other words than `fact_patterns.py` knows, or one that changes in other words than
`update_patterns.py` knows, goes unnoticed.
"""
