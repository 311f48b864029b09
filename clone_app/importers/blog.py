"""What WordPress files and feeds have in common: whose blog it is, and posts' HTML to text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from clone_app.importers.html import to_text
from clone_app.protocols import Reading

_BLOCKS = re.compile(r"<(?:p|div|h[1-6]|ul|ol|blockquote|pre|table)\b|<!-- wp:", re.IGNORECASE)
_TAG = re.compile(r"<[A-Za-z/!]")
# Marks of the editor's own, around a picture's words or a gallery.
_SHORTCODE = re.compile(
    r"\[/?(?:caption|wp_caption|gallery|embed|audio|video|playlist)(?:\s[^\[\]]{0,2000})?\]"
)


@dataclass(slots=True)
class Authors:
    """Know who writes in a blog, each by all their names, to tell which of them is the user."""

    reading: Reading
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    writers: set[str] = field(default_factory=set)

    def add(self, login: str, *names: str) -> None:
        """Take an author and the names they go by."""
        self.names[login] = tuple(dict.fromkeys(name for name in (*names, login) if name))

    def shown(self, login: str) -> str:
        """Return the name shown for an author."""
        return next(iter(self.names.get(login, ())), login)

    def is_me(self, login: str, *names: str) -> bool:
        """Tell whether an author is the user: known by a name, or the only one who writes here."""
        alone = len(self.writers) <= 1 and (not self.writers or login in {"", *self.writers})
        return alone or self.reading.is_me(login, *self.names.get(login, ()), *names)

    def own_names(self) -> frozenset[str]:
        """Return all names, small, of those who are the user."""
        mine = (self.names.get(login, (login,)) for login in self.writers if self.is_me(login))
        return frozenset(name.casefold() for names in mine for name in names)


def post_text(markup: str) -> str:
    """Return the text of a post; where it has no paragraphs, its line ends are the paragraphs.

    The older editor of WordPress stores text that way, with tags only for what stands out.
    """
    markup = _SHORTCODE.sub("", markup)
    if _TAG.search(markup) and not _BLOCKS.search(markup):
        markup = markup.replace("\r\n", "\n").replace("\n", "<br>")
    return to_text(markup).strip()
