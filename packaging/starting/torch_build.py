"""Which build of torch pip would fetch, and how large that is."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Torch:
    """Say which build of torch pip would install, and what it would download for it."""

    version: str
    cuda: bool
    urls: tuple[str, ...]  # files that lie on this machine are not among them


def read_report(report: Mapping[str, Any]) -> Torch | None:
    """Return what the JSON of pip's `--report` says about torch, None where torch is not in it.

    The public build for Linux carries no mark in its version: the nvidia packages that come with it
    give it away.
    """
    offers = {one["metadata"]["name"].lower(): one for one in report.get("install", ())}
    if "torch" not in offers:
        return None
    version = str(offers["torch"]["metadata"]["version"])
    companions = any(name.startswith(("nvidia-", "cuda-")) for name in offers)
    urls = [str(one.get("download_info", {}).get("url", "")) for one in offers.values()]
    return Torch(
        version,
        "+cu" in version or (companions and not version.endswith("+cpu")),
        tuple(url for url in urls if url.startswith("http")),
    )


def torch_sentence(torch: Torch, size: int | None) -> str:
    """Say which torch comes and how much is downloaded for it (in bytes, None if unknown)."""
    if not torch.urls:
        return f"torch {torch.version} lies on this machine: nothing large is downloaded."
    if not torch.cuda:
        told = "some 200 MB" if size is None else f"{max(1, round(size / 1e6))} MB"
        return f"torch {torch.version}, a build without CUDA: {told} to download."
    told = "about 3 GB" if size is None else f"{size / 1e9:.1f} GB"
    return (
        f"torch {torch.version} is offered only as a CUDA build: {told} to download. A CPU build "
        "is a tenth of that and does as well: to use one, press Ctrl+C, tell pip where it lies "
        "(PIP_EXTRA_INDEX_URL or PIP_FIND_LINKS) and start this again."
    )


def download_size(urls: Iterable[str]) -> int | None:
    """Return the bytes behind some addresses, asked for by HEAD; None if one doesn't tell.

    pip's report has no sizes. The files are about to be fetched from there anyway.
    """

    def size(url: str) -> int | None:
        try:
            request = urllib.request.Request(url, method="HEAD")
            with urllib.request.urlopen(request, timeout=10) as reply:
                return int(reply.headers["Content-Length"])
        except (OSError, TypeError, ValueError):
            return None

    with ThreadPoolExecutor(8) as pool:
        sizes = list(pool.map(size, urls))
    known = [one for one in sizes if one is not None]
    return sum(known) if len(known) == len(sizes) else None


def pinned(constraints: str, name: str) -> str:
    """Return the version that a constraints file pins with `==`, empty if it pins none."""
    found = re.search(rf"^{re.escape(name)}\s*==\s*([^\s;#]+)", constraints, re.M | re.I)
    return found.group(1) if found else ""
