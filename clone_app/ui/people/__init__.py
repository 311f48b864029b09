"""The People page: who is in the memory, and who is who."""
