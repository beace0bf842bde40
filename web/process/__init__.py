"""The objects of one web process, and how a request reaches them."""
