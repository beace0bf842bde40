"""`offline/extractive`: a stand-in for a language model that needs no network.

It understands nothing. It finds sentences by the words they share, and facts by the forms in
`grammar.txt`, so that memory can be seen to work before a real model is set. The same input gives
the same output. What it does not do stands in `docs/stand-in.md`.
"""
