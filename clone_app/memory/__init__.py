"""What is remembered: the encrypted base is the truth, the vector index a cache, recall finds."""
