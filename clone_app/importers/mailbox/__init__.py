"""Mail that lies on a server (IMAP): looked at and fetched, never changed, never marked as read.

`server` connects and says faults in words, `folders` lists and chooses, `fetch` reads what is new,
`wire` bounds what a server may send.
The only importer that uses the network, and only when the user asks for it.
"""
