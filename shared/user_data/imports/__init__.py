"""Past conversations from a file: read piece by piece, one transaction a conversation.

`json_stream` splits the file into the JSON of single conversations, `formats` reads each as a
`PastConversation`, `alternation` makes rounds, `writer` writes the rows. `importer` calls them all.
"""
