"""Memories: the list of what is remembered, search in it, and the view of one entry."""
