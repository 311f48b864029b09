"""The script that starts all: any Python can read it, and it needs only the standard library."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def dev() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dev", ROOT / "packaging" / "dev.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("version", [(2, 7), (3, 6), (3, 10)])
def test_an_old_python_gets_one_sentence_with_what_to_do(
    dev: ModuleType, version: tuple[int, int]
) -> None:
    assert dev.age_complaint(version) == (
        f"Python {version[0]}.{version[1]} is too old for this program: "
        "install Python 3.11 or newer and start this with it."
    )


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 20), (4, 0)])
def test_python_3_11_and_newer_will_do(dev: ModuleType, version: tuple[int, int]) -> None:
    assert dev.age_complaint(version) == ""


def test_dev_py_stays_readable_for_pythons_without_annotations_and_f_strings() -> None:
    source = (ROOT / "packaging" / "dev.py").read_text("ascii")
    for node in ast.walk(ast.parse(source)):
        assert not isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr | ast.Match)
        if isinstance(node, ast.FunctionDef):
            assert node.returns is None
            assert all(argument.annotation is None for argument in node.args.args)


def starting_files() -> list[Path]:
    return [ROOT / "packaging" / "dev.py", *sorted((ROOT / "packaging" / "starting").glob("*.py"))]


def test_the_set_up_needs_nothing_but_the_standard_library() -> None:
    imported = set()
    for path in starting_files():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").split(".")[0])
    assert "subprocess" in imported
    assert imported - set(sys.stdlib_module_names) == {"starting"}


def test_no_file_of_the_set_up_names_an_address_to_fetch_from() -> None:
    for path in [*starting_files(), ROOT / ".ci" / "run", ROOT / "packaging" / "constraints.txt"]:
        assert "://" not in path.read_text("utf-8"), path
