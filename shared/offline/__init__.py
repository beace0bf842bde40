"""`offline/extractive`: a stand-in for a language model that needs no network.

It finds sentences by shared words and facts by the patterns of `grammar.txt`. So memory can be
tried before a real model is configured. The same input gives the same output. Its limits are
listed in `docs/stand-in.md`.
"""
