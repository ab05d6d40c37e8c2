"""All-to-all exchanges on multistage networks: schedules, a cycle-exact model, Verilog; numpy arrays in and out.

>>> import fritillary, numpy
>>> p = fritillary.plan("rls", 32)
>>> a = numpy.arange(32 * 32, dtype=numpy.uint32).reshape(32, 32)
>>> r = fritillary.simulate(p, payload=a)
>>> p.cycles, bool((r.received == a.T).all())
(40, True)

Errors are exceptions with the text of the command ``frit``. The package also contains the command: ``python -m fritillary``.
"""

from importlib.metadata import version as _version

from ._compare import Comparison, compare
from ._demand import Carried, Demand, Racks, Schedule, Slots, demand
from ._designs import (
    Design,
    Network,
    Option,
    Page,
    Plan,
    RoutedDesign,
    StreamPlan,
    System,
    network,
    permute,
    plan,
    routed,
    systems,
    transpose,
)
from ._errors import FritillaryError, MissingToolError, UsageError
from ._files import Difference, Engine, Generated, Verification, diff, generate, verify
from ._pace import Pace
from ._route import Routed, route
from ._simulate import Run, simulate
from ._table import Table

__version__ = _version("fritillary")

__all__ = [
    "Carried", "Comparison", "Demand", "Design", "Difference", "Engine", "FritillaryError", "Generated", "MissingToolError", "Network", "Option",
    "Pace", "Page", "Plan", "Racks", "Routed", "RoutedDesign", "Run", "Schedule", "Slots", "StreamPlan", "System", "Table", "UsageError", "Verification", "compare", "demand",
    "diff", "generate", "network", "permute", "plan", "route", "routed", "simulate", "systems", "transpose", "verify",
]  # fmt: skip
