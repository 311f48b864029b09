"""Word lists written as text."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """Return the words of a list written as text."""
    return frozenset(text.split())
