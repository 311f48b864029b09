"""One file a source. A source added to IMPORTERS is in the dialog, the help and the README.

`recognise` finds out what was dropped; `archive` opens files, folders and zips as streams.
"""
