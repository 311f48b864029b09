"""The SHA-256 of the files as their authors released them, so that figures can be compared."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from clone_app.errors import CloneAppError
from clone_app.evaluation.suites import Pin

# CloneMem (AvatarMemory/CloneMemBench, data/releases/<tier>/<name>_benchmark_en.json). None are known
# for the Chinese files.
CLONEMEM = {
    "719d38472cc990bb272db10db6c29678438c7599fd637931365fc0c92b6be27a": "100k",  # guiling_chen
    "a1c15cdcdde56ac69f3fa90b3660c2722d050291150815fad2cd83f8afd97709": "100k",  # linchuan_shen
    "d4781bf5315cf198a220c1328b6f93cf9adb8cf4a441c55947a581769b2d2b33": "100k",  # yu_zhou
    "9ec362306063704eeb03d36eeceb86791d62bee0bbd39a70e6feed471d4685da": "500k",  # hao_lin
    "56521ffaf45f7fa747553feea21089ee924a3675c7d9fbf950822f4d9064a943": "500k",  # jianguo_li
    "d27915c988254dd51ac3040a964c11cc7f0f7e5b5694f4ca074586fe725d272c": "500k",  # minghui_li
    "6c0be306d4994faa4fca845cde56d18cde887275510ece58e976c48719858769": "500k",  # xiaoyu_lin
    "6219bdb1ef5e549b569464003f0c65309c91a56d890e4bb3c13d15db8adc8a9a": "500k",  # xiaoyu_lin
    "0bc7b9c08034dd3a310c473dc61c9c0ece62614c8808fa1702ef60b97f3ee529": "500k",  # xiaoyun_lin
    "41fea0680807c188bc6419ef052e472f358a8ebac8cd72a9d136dd687ce5031b": "500k",  # ziang_lin
}
_TIER = re.compile(r"\d+k")


def hash_file(path: Path) -> str:
    """Return a file's SHA-256 in hex."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise CloneAppError(
            f"{path} can't be read ({fault.strerror}). Check the path and try again."
        ) from fault


def hash_files(paths: Iterable[Path], below: Path) -> str:
    """Return one SHA-256 over several files: over their names and hashes, by name."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(below).as_posix()} {hash_file(path)}\n".encode())
    return digest.hexdigest()


def clonemem_pin(sha256: str, language: str) -> Pin:
    """Return what is known of a CloneMem file: only the English ones can be told apart."""
    if sha256 in CLONEMEM:
        return Pin.OFFICIAL
    return Pin.OTHER if language == "en" else Pin.NONE


def clonemem_tier(sha256: str, path: Path) -> str:
    """Return a file's tier: that of the release, else the folder's name where it is one."""
    if sha256 in CLONEMEM:
        return CLONEMEM[sha256]
    return path.parent.name if _TIER.fullmatch(path.parent.name) else ""
