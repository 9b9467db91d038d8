"""Makes the notebook `tables.ipynb` from `tables.py`: runs its cells and keeps what Jupyter would show of each.

Run it after a change: `python python/tests/notebook.py`. `test_examples.py` compares the notebook with what it makes.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any, Dict, List, Tuple

SOURCE = Path(__file__).resolve().parents[1] / "examples/tables.py"
NOTEBOOK = SOURCE.with_suffix(".ipynb")
#: How Jupyter calls what an object shows of itself.
SHOWN = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}


def cells(source: str) -> List[Tuple[str, str]]:
    """The kind and the text of each cell."""
    parts = re.split(r"^# %%(.*)\n", source, flags=re.MULTILINE)[1:]
    found = []
    for head, body in zip(parts[::2], parts[1::2]):
        if "[markdown]" in head:
            found.append(("markdown", re.sub(r"^# ?", "", body.strip(), flags=re.MULTILINE)))
        else:
            found.append(("code", body.strip()))
    return found


def run(text: str, names: Dict[str, Any]) -> Any:
    """Runs a cell and returns the value of its last line, if that is an expression."""
    tree = ast.parse(text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    return None


def output(value: Any, count: int) -> Dict[str, Any]:
    """What Jupyter keeps of a result."""
    data = {"text/plain": repr(value)}
    data.update({kind: getattr(value, name)() for kind, name in SHOWN.items() if hasattr(value, name)})
    lines = {kind: text.splitlines(keepends=True) for kind, text in data.items()}
    return {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": lines}


def notebook(source: str) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """The notebook, and the names that its cells define."""
    names: Dict[str, Any] = {"__name__": "__main__"}
    made: List[Dict[str, Any]] = []
    for place, (kind, text) in enumerate(cells(source), 1):
        cell: Dict[str, Any] = {"cell_type": kind, "id": f"cell-{place}", "metadata": {}}
        cell["source"] = text.splitlines(keepends=True)
        if kind == "code":
            count = sum(other["cell_type"] == "code" for other in made) + 1
            value = run(text, names)
            cell.update(execution_count=count, outputs=[] if value is None else [output(value, count)])
        made.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    meta = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": made, "metadata": meta, "nbformat": 4, "nbformat_minor": 5}, names


def written(made: Dict[str, Any]) -> str:
    """The text of the file."""
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    NOTEBOOK.write_text(written(notebook(SOURCE.read_text(encoding="utf-8"))[0]), encoding="utf-8")
