"""Uneven exchanges: how many words terminals have for each other, and plans that carry them."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arguments as arguments
from . import _native
from ._compare import Comparison, compared
from ._errors import UsageError
from ._pace import Pace
from ._process import command
from ._progress import Progress, told
from ._table import Table


#: Columns of a schedule.
_COLUMNS = {"plane": np.uint32, "start": np.uint64, "hold": np.uint64}


@dataclass(frozen=True, eq=False)
class Slots:
    """An exchange: states of the whole network, one after the other.

    Attributes:
        hold: uint32, of shape [slots]: for how many cycles each state is held.
        destination: uint32, of shape [slots, lanes]: the lane that each input lane is connected to.
    """

    hold: NDArray[np.uint32]
    destination: NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Carried:
    """How a demand was carried; every word was sent through the bare network and compared with the demand.

    Attributes:
        ok: every word arrived where it should.
        cycles: clock cycle of the last arrival.
        cycles_lower_bound: no exchange on this network takes fewer clock cycles.
        rounds: number of rounds; each lane sends at most one word in a round.
        exchanges: the exchange, or the two exchanges of ``two_hop``.
        arrivals: ``cycle``, ``round`` (uint64), ``output``, ``source``, ``word`` (uint32), in the order of cycles, if asked for.
        report: what ``frit simulate --demand --format json`` prints, as Python values.
    """

    ok: bool
    cycles: int
    cycles_lower_bound: int
    rounds: int
    exchanges: tuple[Slots, ...]
    arrivals: Table | None
    report: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Schedule:
    """A plan of configurations: which permutation each network has, from which cycle on.

    Attributes:
        rows: ``plane`` (uint32), ``start`` and ``hold`` (uint64, in cycles) of each configuration.
        destination: int32, of shape [configurations, n]: the destination of each source, or -1.
        report: what ``frit demand --schedule --format json`` prints, as Python values: ``schedule_cycles``, ``time_lower_bound``, ``planner``, with
            a pace ``time_us``.
    """

    rows: Table
    destination: NDArray[np.int32]
    report: dict[str, Any]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the plan as JSON (docs/demand.md), which ``frit demand --check`` and ``--reuse`` read."""
        columns = zip(self.rows.plane, self.rows.start, self.rows.hold, self.destination)
        configurations = [
            {"plane": int(plane), "start": int(start), "hold": int(hold), "destinations": [int(to) for to in destinations]}
            for plane, start, hold, destinations in columns
        ]
        plan = {
            "terminals": self.destination.shape[1],
            "planes": int(self.report["planes"]),
            "delta": int(self.report["delta"]),
            "cycles": int((self.rows.start + self.rows.hold).max(initial=0)),
            "configurations": configurations,
        }
        Path(path).write_text(json.dumps(plan))


@dataclass(frozen=True, eq=False)
class Racks:
    """A plan of two levels.

    Attributes:
        terminals: which terminal sends to which, inside its rack or to another.
        circuits: which racks each optical switch joins (a plane is a switch, a terminal a rack).
        report: what ``frit demand --racks --format json`` prints, as Python values: ``schedule_cycles``, ``alone_cycles``, ``time_lower_bound``.
    """

    terminals: Schedule
    circuits: Schedule
    report: dict[str, Any]


class Demand:
    """How many words each terminal has for each other. ``demand`` makes one."""

    def __init__(self, native: _native.Demand) -> None:
        self._native = native

    @property
    def n(self) -> int:
        """Number of terminals."""
        return self._native.terminals

    @cached_property
    def words(self) -> NDArray[np.uint32]:
        """Words of each pair: uint32, of shape [n, n], row = source. Read only."""
        words = self._native.words().reshape(self.n, self.n)
        words.flags.writeable = False
        return words

    def report(self, delta: int = 0, planes: int = 1, *, pace: Pace | None = None) -> dict[str, Any]:
        """What ``frit demand --format json`` says of it: h, skew, lower bounds.

        Args:
            delta: time, in words, that a network takes to change its configuration.
            planes: networks side by side.
            pace: adds the time of the lower bound, and the throughput at it: ``report(pace=Pace(14336, link="400G"))["time_us"]``.
        """
        flags = arguments.flags({"delta": delta, "planes": planes})
        report = dict(json.loads(self._native.describe(["demand", "uniform", *flags])))
        return report if pace is None else pace.add(report, "words", "time_lower_bound")

    @property
    def h(self) -> int:
        """The largest row or column sum, in words."""
        return int(self.report()["h"])

    @property
    def skew(self) -> float:
        """h over the mean row sum."""
        return float(self.report()["skew"])

    def program(self, entries: int | None = None) -> NDArray[np.uint32]:
        """The plan as a program for a Beneš network with a loaded schedule: 32-bit words, the number of entries first (docs/demand.md).

        Args:
            entries: entries of a bank, a power of two from 2 to 4096; if the plan in h rounds needs more, a plan with at most this number is
                searched. None: the number that the plan in h rounds needs.

        The plan cannot be stopped: after Ctrl-C the call ends, and the plan goes on in its thread until it is done.

        Raises:
            UsageError: such a network does not exist, or no plan fits.
        """
        if entries is not None:
            entries = arguments.whole("entries", entries, 4096, "a power of two from 2 to 4096")
        return self._native.program(entries)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the demand: .json and .npy in these forms, any other name as CSV."""
        form = {".json": "json", ".npy": "npy"}.get(Path(path).suffix, "csv")
        Path(path).write_bytes(self._native.file(form))

    def schedule(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        delta: int = 0,
        planes: int = 1,
        planner: str | None = None,
        matchings: int | None = None,
        reuse: Schedule | str | os.PathLike[str] | None = None,
        form: str | None = None,
        pace: Pace | None = None,
    ) -> Schedule:
        """A plan of permutations for networks that take time to change theirs, as ``frit demand --schedule`` writes it.

        The command runs as a process of its own (``python -m fritillary demand``); Ctrl-C ends it.

        Args:
            path: a file for the plan; its name, or ``form``, says in which form (docs/demand.md).
            delta: time, in words, that a network takes to change its configuration.
            planes: networks side by side.
            planner: ``exact``, ``few``, ``cover`` or ``birkhoff``; by default the shortest plan that is known.
            matchings: the most configurations of a network, for the planner ``few``; no limit without a number.
            reuse: the last plan, or a file with it: its configurations get new holds, and new ones carry what is left.
            form: ``csv``, ``json``, ``openoptics``, ``openconfig`` or ``htsim``.
            pace: adds ``time_us`` and ``gb_per_s`` to the report.

        Raises:
            UsageError: the command refuses the same input.
        """
        files = arguments.Files()
        plan = files.write("plan.json", b"")
        options: dict[str, Any] = {"delta": delta, "planes": planes, "planner": planner, "matchings": matchings}
        if reuse is not None:
            options |= {"reuse": _plan_file(files, reuse)}
        given = ["demand", file(files, self), *arguments.flags({**options, **(asdict(pace) if pace else {})}), "--format", "json", "--schedule"]
        if path is not None:
            _, text = command([*given, os.fspath(path), *arguments.flags({"schedule_form": form})])
            if form == "json" or (form is None and Path(path).suffix == ".json"):
                return _schedule(path, json.loads(text))
        _, text = command([*given, plan])
        return _schedule(plan, json.loads(text))

    def racks(
        self,
        racks: int,
        uplinks: int | None = None,
        *,
        delta: int = 0,
        pace: Pace | None = None,
    ) -> Racks:
        """A plan of both levels: terminals in racks of equal size, and racks on optical switches (docs/demand.md#racks).

        Args:
            racks: number of racks; the first n / racks terminals are in rack 0.
            uplinks: uplinks of a rack, one to each optical switch; by default as many as terminals in a rack.
            delta: time, in words, that an optical switch takes to change its configuration.
            pace: adds ``time_us`` and ``gb_per_s`` to the report.

        Raises:
            UsageError: the command refuses the same input.
        """
        files = arguments.Files()
        terminals, circuits = (files.write(name, b"") for name in ("terminals.json", "circuits.json"))
        options = {"racks": racks, "uplinks": uplinks, "delta": delta, **(asdict(pace) if pace else {})}
        given = ["demand", file(files, self), *arguments.flags(options), "--format", "json"]
        _, text = command([*given, "--schedule", terminals, "--circuits", circuits])
        report = json.loads(text)
        # The switch of a rack changes at once.
        return Racks(_schedule(terminals, {**report, "delta": 0, "planes": 1}), _schedule(circuits, report), report)

    def check(self, plan: Schedule | str | os.PathLike[str], *, delta: int | None = None, pace: Pace | None = None) -> dict[str, Any]:
        """What a plan delivers, by the check that knows no planner: ``delivered`` and ``fault``, of which one is None.

        Args:
            plan: a plan of any planner, or a file with one (CSV or JSON).
            delta: time, in words, that a network takes to change its configuration; None: that of the plan, of a file 0.
            pace: adds ``time_us`` and ``gb_per_s`` of a plan that delivers all words.

        Raises:
            UsageError: the command refuses the same input.
        """
        files = arguments.Files()
        delta = delta if delta is not None else int(plan.report["delta"]) if isinstance(plan, Schedule) else 0
        options = {"delta": delta, "check": _plan_file(files, plan), **(asdict(pace) if pace else {})}
        _, text = command(["demand", file(files, self), *arguments.flags(options), "--format", "json"])
        return dict(json.loads(text))

    def plan(
        self,
        system: str = "benes",
        *,
        two_hop: bool = False,
        arrivals: bool = False,
        pace: Pace | None = None,
        progress: Progress = None,
        **options: Any,
    ) -> Carried:
        """Plans an exchange that carries the demand, and sends every word.

        The interpreter's lock is free meanwhile. Ctrl-C ends the call at once, and the work with its next round.

        Args:
            system: ``benes`` (as few rounds as possible), or a system whose rounds are held for different times.
            two_hop: each word goes through an intermediate terminal: two exchanges with rounds of equal length.
            arrivals: keep every arrival (not with two_hop).
            pace: adds ``time_us`` and ``gb_per_s`` to the report.
            progress: called some times a second with the parts done and the parts in all: a thousand for the plan, a thousand for the
                words. An exception in it ends the call.
            options: the options of the system.

        Raises:
            UsageError: the command refuses the same input.
        """
        if two_hop and arrivals:
            raise UsageError("arrivals does not apply to two_hop, where words arrive twice; leave one of them out")
        files = arguments.Files()
        given = ["simulate", *arguments.design(files, system, self.n, options), "--demand", "the demand"]
        given += arguments.flags({"two_hop": two_hop})
        with told(progress, f"carry a demand on {system}") as tell:
            ok, text, exchanges, arrived = _native.carry(given, self._native, arrivals, tell)
        report = json.loads(text)
        if pace is not None:
            report = pace.add(report, "delivered", "cycles")
        slots = tuple(Slots(found["hold"], found["destination"].reshape(len(found["hold"]), -1)) for found in exchanges)
        return Carried(
            ok, report["cycles"], report["cycles_lower_bound"], report["rounds"], slots, Table(arrived) if arrivals else None, report
        )

    def compare(
        self,
        *,
        delta: int = 0,
        planes: int = 1,
        matchings: int | None = None,
        plot: str | os.PathLike[str] | None = None,
        pace: Pace | None = None,
    ) -> Comparison:
        """Compares all planners on this demand, as ``frit compare --demand`` does: ``demand.compare(delta=10).rows.ratio``.

        The command runs as a process of its own (``python -m fritillary compare``); Ctrl-C ends it.

        Args:
            delta: time, in words, that a network takes to change its configuration.
            planes: Beneš networks side by side.
            matchings: the most configurations of a Beneš network, for the planner ``few``; no limit without a number.
            plot: a file (.svg or .png) for the ratio of cycles to the lower bound against delta.
            pace: adds the columns ``time_us`` and ``gb_per_s``.

        Raises:
            UsageError: the command refuses the same input.
        """
        files = arguments.Files()
        flags = arguments.flags(
            {"delta": delta, "planes": planes, "matchings": matchings, "plot": plot, **(asdict(pace) if pace else {})}
        )
        found = compared(["--demand", file(files, self), *flags])
        return replace(found, report={**found.report, "demand": "the demand"})

    def __repr__(self) -> str:
        return f"Demand({self.n} terminals, {int(self.words.sum())} words)"


def demand(what: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | ArrayLike, n: int | None = None, **options: Any) -> Demand:
    """Makes a demand: ``demand("zipf", 16, words=1000, seed=3)``, ``demand(counts)``, ``demand("demand.csv")``.

    Args:
        what: a kind (``uniform``, ``zipf``, ``log-normal``, ``hot-spot``, ``block-diagonal``, ``sparse``, ``experts``), the path of a
            file with a demand, a list of the paths of all ranks' files, or words of each pair: whole numbers of shape [n, n], row = source, in an array of any dtype or a
            DataFrame. With ``layer`` and ``experts_per_rank`` they may have the shapes [layers, n, n] and [n, experts].
        n: number of terminals, for a kind.
        options: the options of ``frit demand``, with underscores: words, exponent, sigma, hot, percent, block, pairs, tokens, experts, top_k,
            capacity, placement, workload, step, layer, experts_per_rank, seed, coflow, window, words_per_mb, collective. ``routes`` takes whole numbers of shape [tokens, layers, top_k]: the
            experts that each token chose.

    Drawing or reading a demand cannot be stopped: after Ctrl-C the call ends, and the work goes on in its thread until it is done.

    Raises:
        UsageError: the command refuses the same input.
    """
    paths = [what] if isinstance(what, (str, os.PathLike)) else what
    if isinstance(paths, (list, tuple)) and paths and all(isinstance(path, (str, os.PathLike)) for path in paths):
        files = arguments.Files()
        routes = options.get("routes")
        if routes is not None and not isinstance(routes, (str, os.PathLike)):
            options["routes"] = files.write("routes.npy", _npy(np.asarray(routes)))
        flags = arguments.flags({"terminals": n, **options})
        return Demand(_native.demand(["demand", *map(os.fspath, paths), *flags]))
    array = _whole(np.asarray(what))
    if n is not None or options.keys() - {"layer", "experts_per_rank"}:
        raise UsageError("n and options other than layer and experts_per_rank do not apply to an array of words; leave them out")
    if (layer := options.get("layer")) is not None:
        if array.ndim != 3 or not 0 <= layer < len(array):
            raise UsageError(f"layer is {layer}, but the demand has the shape {list(array.shape)}; give one of its layers, or leave layer out")
        array = array[layer]
    if (each := options.get("experts_per_rank")) is not None:
        if array.ndim != 2 or each < 1 or array.shape[1] != array.shape[0] * each:
            raise UsageError(f"the demand has the shape {list(array.shape)}, which is not [n, n * experts_per_rank] with {each} experts each")
        array = array.reshape(len(array), len(array), each).sum(axis=2)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise UsageError(
            f"the demand has the shape {list(array.shape)}; give whole numbers of the shape [n, n] (row = source), or layer of [layers, n, n] "
            "and experts_per_rank of [n, experts]"
        )
    if array.size and (array.min() < 0 or array.max() >= 1 << 32):
        raise UsageError("the demand has numbers below 0 or of more than 32 bits; give numbers of words")
    return Demand(_native.Demand(array.shape[0], np.ascontiguousarray(array, dtype=np.uint32).reshape(-1)))


def _whole(array: NDArray[Any]) -> NDArray[Any]:
    """The numbers as integers; of other numbers all must be whole."""
    if array.dtype.kind in "iub":
        return array.astype(np.uint8) if array.dtype.kind == "b" else array
    if array.dtype == object:
        # Columns of different dtypes in a DataFrame.
        with contextlib.suppress(TypeError, ValueError):
            array = array.astype(float)
    if array.dtype.kind != "f":
        raise UsageError(f"the demand has the dtype {array.dtype}; give whole numbers of words")
    broken = ~(np.isfinite(array) & (array == np.floor(array)))
    if broken.any():
        place = tuple(int(at) for at in np.argwhere(broken)[0])
        raise UsageError(f"number {list(place)} of the demand is {array[place]}; give whole numbers of words")
    numbers: NDArray[Any] = np.clip(array, -1, 1 << 32).astype(np.int64)
    return numbers


def given(what: Demand | str | os.PathLike[str] | ArrayLike) -> Demand:
    """A demand, or the demand in an array of words or in a file."""
    return what if isinstance(what, Demand) else demand(what)


def _schedule(path: str | os.PathLike[str], report: dict[str, Any]) -> Schedule:
    """The plan in a file of JSON."""
    plan = json.loads(Path(path).read_text())
    rows = plan["configurations"]
    columns = {name: np.array([row[name] for row in rows], kind) for name, kind in _COLUMNS.items()}
    destination = np.array([row["destinations"] for row in rows], np.int32).reshape(len(rows), plan["terminals"])
    return Schedule(Table(columns), destination, report)


def _plan_file(files: arguments.Files, plan: Schedule | str | os.PathLike[str]) -> str:
    """The path of a plan's file, which is written if it is not there yet."""
    if not isinstance(plan, Schedule):
        return os.fspath(plan)
    path = files.write("last.json", b"")
    plan.save(path)
    return path


def file(files: arguments.Files, what: Demand | str | os.PathLike[str] | ArrayLike) -> str:
    """The path of a demand's file, which is written if it is not there yet."""
    return os.fspath(what) if isinstance(what, (str, os.PathLike)) else files.write("demand.npy", given(what)._native.file("npy"))


def _npy(array: NDArray[Any]) -> bytes:
    import io

    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()
