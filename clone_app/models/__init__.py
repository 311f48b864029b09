"""The language model and the embedder, each in a process of its own behind a pipe.

`shelf.Models` is what the program uses. Whatever is named `…_child` runs in the child alone, and is
the only code that imports torch, llama_cpp or sentence_transformers.
"""
