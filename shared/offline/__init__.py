"""`offline/extractive`: a stand-in for a language model that needs no network.

It finds sentences by shared words and facts by the patterns of `grammar.txt`, so that memory can
be seen at work before a real model is set. The same input gives the same output. Its limits are
listed in `docs/stand-in.md`.
"""
