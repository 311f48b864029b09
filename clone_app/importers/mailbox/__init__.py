"""Mail that lies on a server (IMAP): looked at and fetched, never changed, never marked as read.

`server` connects and says faults in words, `folders` lists and chooses, `fetch` reads what is new.
The only importer that uses the network, and only when the user asks for it.
"""
