"""Read the beginning of a GGUF file in plain Python, so that nonsense never reaches native code.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Only what comes before the
tokenizer is read; whether the weights are whole, llama.cpp finds out in its own process.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

from clone_app.errors import ModelError

MAGIC = b"GGUF"
VERSIONS = range(2, 4)
MOST_KEYS = 100_000
MOST_TENSORS = 1_000_000
LONGEST_KEY = 65_535
LONGEST_STRING = 16 * 1024 * 1024
SMALLEST_KEY, SMALLEST_TENSOR = 13, 24
"""Bytes that one key or one tensor's entry takes at the least: the file must have room for them."""

STRING, ARRAY = 8, 9
NUMBERS = {
    0: struct.Struct("<B"),
    1: struct.Struct("<b"),
    2: struct.Struct("<H"),
    3: struct.Struct("<h"),
    4: struct.Struct("<I"),
    5: struct.Struct("<i"),
    6: struct.Struct("<f"),
    7: struct.Struct("<?"),
    10: struct.Struct("<Q"),
    11: struct.Struct("<q"),
    12: struct.Struct("<d"),
}
REMEDY = "Choose another file in Preferences › Models."

Value: TypeAlias = "str | int | float | bool | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufHeader:
    """Hold what a GGUF file says about itself; empty or 0 where it says nothing."""

    version: int
    tensors: int
    keys: int
    architecture: str
    name: str
    licence: str
    context: int


class _DamagedFileError(Exception):
    """Carry what is wrong with the file, as a clause."""


def read_gguf(path: Path) -> GgufHeader:
    """Return a GGUF file's header; raise `ModelError` where it can't be one."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            return _header(file, size)
    except FileNotFoundError:
        raise ModelError(f"There is no model file at {path}. {REMEDY}") from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder, not a GGUF model file. {REMEDY}") from None
    except OSError as fault:
        raise ModelError(
            f"The model file {path} can't be read ({fault.strerror}). {REMEDY}"
        ) from fault
    except _DamagedFileError as fault:
        raise ModelError(f"{path.name} {fault}. {REMEDY}") from None


def _header(file: BinaryIO, size: int) -> GgufHeader:
    if file.read(4) != MAGIC:
        raise _DamagedFileError("is not a GGUF model file")
    (version,) = struct.unpack("<I", _exactly(file, 4))
    if version not in VERSIONS:
        raise _DamagedFileError(f"is a GGUF model file of version {version}, which is not known")
    tensors, keys = struct.unpack("<QQ", _exactly(file, 16))
    if not 0 < tensors <= MOST_TENSORS or tensors * SMALLEST_TENSOR > size:
        raise _DamagedFileError(f"is a damaged GGUF model file: it claims {tensors} tensors")
    if not 0 < keys <= MOST_KEYS or keys * SMALLEST_KEY > size:
        raise _DamagedFileError(f"is a damaged GGUF model file: it claims {keys} keys")
    values: dict[str, Value] = {}
    for _ in range(keys):
        key = _string(file, LONGEST_KEY)
        if not key:
            raise _DamagedFileError("is a damaged GGUF model file: a key has no name")
        if key.startswith("tokenizer."):
            break  # long lists follow; whatever is of use here came before by convention
        (kind,) = struct.unpack("<I", _exactly(file, 4))
        values[key] = _value(file, kind, size)
    architecture = str(values.get("general.architecture") or "")
    context = values.get(f"{architecture}.context_length")
    return GgufHeader(
        version=version,
        tensors=tensors,
        keys=keys,
        architecture=architecture,
        name=str(values.get("general.name") or ""),
        licence=str(values.get("general.license") or ""),
        context=context if isinstance(context, int) and context > 0 else 0,
    )


def _value(file: BinaryIO, kind: int, size: int) -> Value:
    """Read one value; a list is stepped over and reads as None."""
    if kind == STRING:
        return _string(file, LONGEST_STRING)
    if kind in NUMBERS:
        number = NUMBERS[kind]
        value: Value = number.unpack(_exactly(file, number.size))[0]
        return value
    if kind != ARRAY:
        raise _DamagedFileError("is a damaged GGUF model file: a value has an unknown type")
    element, count = struct.unpack("<IQ", _exactly(file, 12))
    smallest = 8 if element == STRING else NUMBERS[element].size if element in NUMBERS else 0
    if not smallest or count * smallest > size:
        raise _DamagedFileError(f"is a damaged GGUF model file: a list claims {count} values")
    if element == STRING:
        for _ in range(count):
            _string(file, LONGEST_STRING)
    else:
        file.seek(count * smallest, 1)
    return None


def _string(file: BinaryIO, longest: int) -> str:
    (length,) = struct.unpack("<Q", _exactly(file, 8))
    if length > longest:
        raise _DamagedFileError(f"is a damaged GGUF model file: a text claims {length} bytes")
    return _exactly(file, length).decode("utf-8", "replace")


def _exactly(file: BinaryIO, size: int) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise _DamagedFileError("is a GGUF model file that ends too early")
    return data
