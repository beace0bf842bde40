"""The Model Context Protocol: memory as tools and resources for other programs' models.

`/mcp` speaks it over streamable HTTP, `python -m web.mcp` over standard input and output. The
SDK (`mcp` on PyPI) reads and writes the protocol; what is here says what the tools are and do.
"""
