"""The language model and the embedder, each in a process of its own behind a pipe."""
