"""A request before any view sees it: who sends it, from where, and what its body may be."""
