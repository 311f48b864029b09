"""The text of Outlook's own form, compressed RTF ([MS-OXRTFCP]), for messages that have no other."""

from __future__ import annotations

import re

# The libraries read byte by byte: two megabytes take seconds, and hold more words than a mail has.
_PACKED_LIMIT, _LIMIT = 1_000_000, 4_000_000
_HIGH = re.compile(rb"[\x80-\xff]")


def text_of_rtf(packed: bytes) -> str:
    """Return the words of compressed RTF, nothing where there are none or it is damaged.

    Raises `ImportError` where the libraries are not installed.
    """
    import compressed_rtf
    from striprtf.striprtf import rtf_to_text

    if len(packed) > _PACKED_LIMIT:
        return ""
    try:
        rtf = compressed_rtf.decompress(packed)[:_LIMIT]
        # Letters written as they are belong to the code page the text names, as escaped ones do.
        escaped = _HIGH.sub(lambda found: b"\\'%02x" % found[0][0], rtf).decode("ascii")
        # A link's words stay and its address goes; each field on a line of its own keeps the
        # library's search for links from taking the square of their number.
        escaped = escaped.replace("{\\field", "\n{\\field").replace("HYPERLINK", "hyperlynk")
        text = str(rtf_to_text(escaped, errors="replace"))
    except Exception:  # whatever the libraries find to raise over damaged bytes
        return ""
    # `\u` writes a sign beyond the first 65,536 as two halves.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()
