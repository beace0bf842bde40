"""Past conversations from a file: read piece by piece, one transaction a conversation.

`splitting` turns bytes into one conversation's JSON after the other, `recognising` into a
`PastConversation`, `alternating` into rounds, `writing` into rows; `running` does it all.
"""
