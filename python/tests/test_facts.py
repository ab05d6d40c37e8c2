"""The attributes of a plan are the facts of the command's report, all of them, and cannot be set."""

from __future__ import annotations

import json
from typing import Any

import fritillary
import pytest
from fritillary import _native

CASES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("rls", 8, {}), ("gsen", 6, {}), ("rls-folded", 8, {"plan": "two-plane"}), ("gsen", 7, {"algorithm": "latin", "pad": "yes"}),
    ("transpose", 4, {"rows": 8}), ("permute", 4, {"words": 32, "kind": "bitrev"}),
)  # fmt: skip
# What the report of a run adds to the facts of the plan.
RUN = {"delivered", "duplicates", "missing", "misrouted", "conflicts", "misplaced"}


def wrong(plan: Any, report: dict[str, Any]) -> set[str]:
    """The facts of the report that the plan does not have, or has with another value. Its ``network`` is the network itself."""
    has = {name: getattr(plan, name, None) for name in report.keys() - RUN}
    if "network" in has:
        has["network"] = plan.network.name
    return {name for name, value in has.items() if value != report[name]}


@pytest.mark.parametrize(("system", "n", "options"), CASES)
def test_attributes_are_the_facts_of_the_command(system: str, n: int, options: dict[str, Any]) -> None:
    plan = fritillary.plan(system, n, **options)
    _, text = _native.captured(["simulate", *plan.arguments, "--format", "json"])
    report = json.loads(text)
    assert wrong(plan, report) == set() and len(report) > 15
    declared = [name for name, kind in type(plan).__annotations__.items() if not name.startswith("_")]
    assert len(declared) >= 8 and all(hasattr(plan, name) and name in plan.facts for name in declared)
    with pytest.raises(AttributeError):
        plan.cycles = 1
    with pytest.raises(AttributeError):
        plan.circles
    report["cycles"] += 1
    assert wrong(plan, {**report, "further": 1}) == {"cycles", "further"}
