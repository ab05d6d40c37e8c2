"""The design that ``fritillary.cocotb.run_tests`` compiled, as its tests find it."""

from __future__ import annotations

import json
import os
from typing import Any

from ._designs import plan
from ._errors import UsageError

#: The arguments of the design, as JSON.
VARIABLE = "FRITILLARY_DESIGN"


def of_environment(what: str) -> Any:
    """System, terminals, options, entries."""
    given = os.environ.get(VARIABLE)
    if given is None:
        raise UsageError(f"which design? Give {what}, or run the tests by run_tests, which sets {VARIABLE}")
    return json.loads(given)


def plan_of_environment(who: str) -> Any:
    """Its plan, for the driver ``who``."""
    system, n, options, _ = of_environment(f"{who} its plan")
    return plan(system, n, **options)
