"""What a sentence is held against the entries by: who does what in it, how it is told, of what."""
