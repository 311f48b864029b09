"""Let the tests import what `packaging/dev.py` is made of; it is a script's folder, no library."""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
if str(PACKAGING) not in sys.path:
    sys.path.append(str(PACKAGING))
