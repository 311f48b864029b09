"""A personal AI clone on the user's own machine: memory, recall, an answering voice, a window."""

__version__ = "0.1.0"
