"""Systems, networks and plans."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from . import _arguments as arguments
from . import _native
from ._errors import UsageError
from ._process import command
from ._progress import told
from ._table import Table


@dataclass(frozen=True)
class Option:
    """An option of a system.

    Attributes:
        name: its name; as a keyword, hyphens are underscores.
        values: the words that it can be; empty for a number, a file or a text.
        range: the least and the greatest number, if it is a number.
        default: the value when it is not given: a word, a number, a formula, or None.
        help: what the option chooses.
        compared: whether ``frit compare`` has a column for each of its words.
    """

    name: str
    values: tuple[str, ...]
    range: tuple[int, int] | None
    default: str | int | None
    help: str
    compared: bool


@dataclass(frozen=True)
class System:
    """A row of the table of systems.

    Attributes:
        system: the key, which ``plan`` and ``route`` take.
        kind: ``planned``, ``routed`` or ``streamed``.
        title: the system in one line.
        sizes: the numbers of terminals that exist.
        cycles: cycles of an exchange as a formula; for a routed system, the known facts about its steps.
        drivers: what drives the switches.
        source: the paper and its section.
        options: its options.
    """

    system: str
    kind: Literal["planned", "routed", "streamed"]
    title: str
    sizes: str
    cycles: str
    drivers: str
    source: str
    options: tuple[Option, ...]


def _option(member: dict[str, Any]) -> Option:
    bounds = member.get("range")
    default = member["default"]
    return Option(
        name=member["name"],
        values=tuple(member["values"]),
        range=(bounds[0], bounds[1]) if bounds else None,
        default=default,
        help=member["help"],
        compared=member["compared"],
    )


def systems() -> list[System]:
    """All systems, as ``frit systems`` lists them: planned ones, routed ones, streamed ones."""
    _, text = _native.captured(["systems", "--format", "json"])
    return [
        System(**{**member, "options": tuple(_option(option) for option in member["options"])}) for member in json.loads(text)
    ]


@dataclass(frozen=True, eq=False)
class Network:
    """The switches and wires of a system.

    Attributes:
        name: what the network is called.
        terminals: N.
        lanes: lanes of each link column.
        stages: columns of switches.
        links: uint32, of shape [stages + 1, lanes]. Lane p after stage s - 1 leads to port ``links[s, p]`` of stage s; port p is side
            p % 2 of switch p // 2. Column 0 leads from the inputs, the last one to the outputs. None for a routed system.
        tables: what ``frit network --format json`` writes, as Python values.
    """

    name: str
    terminals: int
    lanes: int
    stages: int
    links: NDArray[np.uint32] | None
    tables: dict[str, Any]

    def edges(self) -> list[tuple[str, str, int, int]]:
        """The links: the node where a link begins, the node where it ends, its link column, and its lane at the beginning.

        Nodes are ``"in3"`` and ``"out3"`` of terminal 3, and ``"2.5"``: switch 5 of stage 2.

        Raises:
            UsageError: a routed system, whose links stand in ``tables``.
        """
        if self.links is None:
            raise UsageError(f"{self.name} is a routed system; its links stand in tables")
        width, found = self.lanes // self.terminals, []
        for column, links in enumerate(self.links.tolist()):
            for lane, port in enumerate(links):
                begin = f"{column - 1}.{lane // 2}" if column else f"in{lane // width}"
                end = f"{column}.{port // 2}" if column < self.stages else f"out{port // width}"
                found.append((begin, end, column, lane))
        return found

    def to_networkx(self) -> Any:
        """A ``networkx.MultiDiGraph`` with an edge for each link, which has its ``column`` and ``lane`` (needs networkx)."""
        import networkx

        graph = networkx.MultiDiGraph(name=self.name)
        graph.add_edges_from((begin, end, {"column": column, "lane": lane}) for begin, end, column, lane in self.edges())
        return graph


class Page(str):
    """A page of HTML or a drawing as SVG: a text that a notebook shows as a page or a drawing."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        if self.startswith("<svg"):
            return str(self)
        return f'<iframe srcdoc="{html.escape(self)}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page or the drawing to a file."""
        Path(path).write_text(self, encoding="utf-8")


class Design:
    """A system with a size and options. ``plan``, ``transpose``, ``permute`` and ``routed`` make one."""

    def __init__(self, given: list[str], files: arguments.Files, facts: str = "{}") -> None:
        self.facts: dict[str, Any] = json.loads(facts)
        self._arguments = given
        self._files = files  # as long as the design, since commands read them again

    @property
    def arguments(self) -> list[str]:
        """The arguments of the command ``frit`` that name this design."""
        return list(self._arguments)

    if not TYPE_CHECKING:  # which attributes there are, the classes below declare

        def __getattr__(self, name: str) -> Any:
            facts = vars(self).get("facts", {})
            if name not in facts:
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            return facts[name]

    def __setattr__(self, name: str, value: object) -> None:
        if name in vars(self).get("facts", ()):
            raise AttributeError(f"{name} is a fact of {self!r}, which cannot be set")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({' '.join(self._arguments)})"


class Plan(Design):
    """A planned system: which terminal sends to which in each round, and how every switch is set.

    Attributes:
        name: system, size and options in words.
        system: the system's key.
        options: the options in force, defaults included.
        terminals: number of terminals that send and receive; ``n`` is the same.
        lanes: lanes of the network; lane p belongs to terminal ``p // (lanes // terminals)``.
        stages: stages of the network that is built.
        hops: switches that a message passes: the stages, or more in a network that is passed twice.
        switches: all 2x2 switches.
        drivers: control signals that are generated at one time.
        rounds: rounds of an exchange.
        latency: clock cycles from the injection of a message to its delivery.
        period: clock cycles from the beginning of an exchange to the beginning of the next.
        cycles: cycle of the last delivery of an exchange, in clock cycles. With two phases, of the phase that carries the messages.
        cycles_total: clock cycles of all phases.
        width: default number of bits of a word: the width in the design file, or 32.
        facts: all facts of the plan as ``frit simulate --format json`` has them (docs/formats.md). Each is an attribute of its name, but
            ``network``, which is the network itself.
    """

    name: str
    system: str
    options: dict[str, str]
    terminals: int
    lanes: int
    stages: int
    hops: int
    switches: int
    drivers: int
    rounds: int
    latency: int
    period: int
    cycles: int
    cycles_total: int
    width: int

    def __init__(self, given: list[str], files: arguments.Files, native: _native.Plan) -> None:
        super().__init__(given, files, native.facts())
        self._native = native

    @property
    def n(self) -> int:
        """Number of terminals that send and receive."""
        return self.terminals

    def svg(self) -> Page:
        """The network as a drawing (SVG), as ``frit network --format svg`` draws it; a notebook shows it."""
        return Page(command(["network", *self._arguments, "--format", "svg"])[1])

    def view(self) -> Page:
        """The page that plays an exchange cycle by cycle, as ``frit view`` writes it; a notebook shows it."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "view.html")
            command(["view", *self._arguments, "-o", str(path)])
            return Page(path.read_text(encoding="utf-8"))

    @cached_property
    def network(self) -> Network:
        """The switches and wires."""
        name, terminals, lanes, stages, links = self._native.network()
        tables = json.loads(self._native.network_json())
        return Network(name, terminals, lanes, stages, links.reshape(stages + 1, lanes), tables)

    def _rounds(self, first: int, last: int) -> tuple[int, int]:
        """Rounds as the extension module takes them, which says which of them exist."""
        allowed = f"rounds from 0 to {self.rounds}"
        return arguments.whole("round", first, 2**32 - 1, allowed), arguments.whole("round", last, 2**32 - 1, allowed)

    def destinations(self, first: int = 0, last: int | None = None) -> NDArray[np.uint32]:
        """Where each lane sends in the rounds first..last (last excluded; all rounds by default).

        Returns:
            uint32, of shape [last - first, lanes]: the lane where the message of each lane arrives.

        Raises:
            UsageError: rounds that do not exist.
        """
        first, last = self._rounds(first, self.rounds if last is None else last)
        return self._native.destinations(first, last).reshape(last - first, self.lanes)

    def labels(self, first: int = 0, last: int | None = None) -> NDArray[np.uint64] | None:
        """The labels that messages carry in the rounds first..last (last excluded; all rounds by default).

        Returns:
            uint64, of shape [last - first, lanes]: one bit for each hop, the first hop in the most significant bit; 0 leaves by the
            upper output of the switch. None if the switches are set from outside.

        Raises:
            UsageError: rounds that do not exist.
        """
        first, last = self._rounds(first, self.rounds if last is None else last)
        labels = self._native.labels(first, last)
        return None if labels is None else labels.reshape(last - first, self.lanes)

    def control_words(self) -> list[str] | None:
        """The control word of each round, one character for each hop; None if every message carries a label or every switch has a
        stored state."""
        words = [self._native.control_word(round) for round in range(self.rounds)]
        return [word for word in words if word is not None] or None

    def states(self, round: int) -> NDArray[np.bool_]:
        """The states of all switches in a round.

        Returns:
            bool, of shape [hops, switches of a stage]: False straight, True cross.

        Raises:
            UsageError: a round that does not exist, or a schedule with a conflict.
        """
        round, _ = self._rounds(round, self.rounds)
        return self._native.states(round).view(np.bool_).reshape(self.hops, -1)

    def settings(self) -> Table:
        """Every switch setting of an exchange, in the order of cycles.

        Returns:
            The columns of settings.csv: ``cycle`` (uint64, clock cycles), ``stage``, ``switch`` (uint32), ``state`` (bool, True cross).
        """
        return Table(self._run(None, self.width, settings=True)[4])

    def deliveries(self) -> Table:
        """Every delivery of an exchange, in the order of cycles.

        Returns:
            The columns of deliveries.csv: ``cycle`` (uint64, clock cycles), ``output``, ``source``, ``round`` (uint32), ``first`` (bool).
        """
        columns = self._run(None, self.width, deliveries=True)[5]
        del columns["payload"]
        return Table(columns)

    def _run(self, words: Any, bits: int, exchanges: int = 1, *, settings: bool = False, deliveries: bool = False, progress: Any = None) -> Any:
        """The model's run, as the extension module gives it: ok, seconds, JSON, words received, settings, deliveries."""
        ran = self._native.run(words, bits, exchanges, settings, deliveries, progress)
        for columns, flag in ((ran[4], "state"), (ran[5], "first")):
            if columns is not None:
                columns[flag] = columns[flag].view(np.bool_)
        return ran


class StreamPlan(Design):
    """A streamed permutation: words stream in, ``lanes`` of them in each cycle, and leave in another order.

    Attributes:
        name: the system with its options that are not the default.
        system: the system's key.
        options: the options in force, defaults included.
        lanes: words of a cycle.
        words: words of a data set.
        cycles: clock cycles of a data set.
        latency: clock cycles from the first words of a data set in to its first words out.
        switches: all 2x2 switches.
        facts: all facts of the plan as ``frit simulate --format json`` has them (docs/formats.md). Each is an attribute of its name.
    """

    name: str
    system: str
    options: dict[str, str]
    lanes: int
    words: int
    cycles: int
    latency: int
    switches: int

    def __init__(self, given: list[str], files: arguments.Files, native: _native.Stream) -> None:
        super().__init__(given, files, native.facts())
        self._native = native

    @property
    def matrix(self) -> tuple[int, int] | None:
        """Rows and columns of the matrix, of a transpose."""
        return self._native.matrix

    def sources(self) -> NDArray[np.uint32]:
        """Which word leaves at each place: uint32, of shape [words]. Word ``sources()[k]`` of the data set leaves as number k."""
        return self._native.sources()


class RoutedDesign(Design):
    """A routed system: it is given traffic and decides the way of each message while it runs."""


def _design(system: str | os.PathLike[str], n: int | None, options: Mapping[str, Any]) -> Design:
    files = arguments.Files()
    given = arguments.design(files, system, n, options)
    # The files of the options are the same: their values are written once.
    pairs = [pair for flag, pair in zip(given, given[1:]) if flag == "--set"]
    native = _native.design(os.fspath(system), None if n is None else str(n), pairs)
    if isinstance(native, _native.Plan):
        return Plan(given, files, native)
    if isinstance(native, _native.Stream):
        return StreamPlan(given, files, native)
    return RoutedDesign(given, files)


@overload
def plan(system: Literal["transpose", "permute"], n: int | None = None, **options: Any) -> StreamPlan: ...


@overload
def plan(system: str | os.PathLike[str], n: int | None = None, **options: Any) -> Plan: ...


def plan(system: str | os.PathLike[str], n: int | None = None, **options: Any) -> Plan | StreamPlan:
    """Plans a system: ``plan("rls", 32)``, ``plan("gsen", 10, algorithm="ata2")``.

    Args:
        system: the key of a planned or streamed system (``systems`` lists them), ``"user"``, or the path of a design file (.toml).
        n: number of terminals; for ``transpose`` and ``permute``, words of a cycle. A design file or an option may say it.
        options: the options of the system, with underscores for hyphens. An option that takes a file takes a path, numbers (an array or
            a list: a permutation, a sequence of bits) or a dict (a network, a schedule).

    Raises:
        UsageError: no such system, size or option; the text is the command's.
    """
    with told(None, f"plan {system}"):
        made = _design(system, n, options)
    if isinstance(made, (Plan, StreamPlan)):
        return made
    # The command says what to do with it.
    _native.captured(["simulate", *made.arguments])
    raise UsageError(f"{system} has no plan")


def routed(system: str | os.PathLike[str], n: int | None = None, **options: Any) -> RoutedDesign:
    """A routed system for ``generate`` and ``verify``: ``routed("dilated", 8, bundle=2)``. Arguments and errors as for ``plan``."""
    made = _design(system, n, options)
    if isinstance(made, RoutedDesign):
        return made
    raise UsageError(f"{os.fspath(system)} is not a routed system; give it to plan")


def permute(lanes: int, **options: Any) -> StreamPlan:
    """The streamed permutation of ``lanes`` words in each cycle: ``permute(8, words=64, kind="bitrev")``.

    Args:
        lanes: words of a cycle.
        options: of the system ``permute``; ``permutation`` takes an array of destinations, ``gather`` one of sources, ``matrix`` one of bits, the most significant first.

    Raises:
        UsageError: the command refuses the same input.
    """
    return plan("permute", lanes, **options)


def transpose(lanes: int, rows: int | None = None, cols: int | None = None, **options: Any) -> StreamPlan:
    """The corner turn of a matrix of ``rows`` x ``cols`` that streams through, ``lanes`` words in each cycle.

    Args:
        lanes: words of a cycle.
        rows: rows of the matrix (default: lanes).
        cols: columns of the matrix (default: rows).
        options: further options of the system ``transpose``.

    Raises:
        UsageError: the command refuses the same input.
    """
    return plan("transpose", lanes, rows=rows, cols=cols, **options)


def network(system: str | os.PathLike[str], n: int | None = None, **options: Any) -> Network:
    """The switches and wires of a planned or routed system. Arguments and errors as for ``plan``."""
    made = _design(system, n, options)
    if isinstance(made, Plan):
        return made.network
    _, text = _native.captured(["network", *made.arguments, "--format", "json"])
    tables = json.loads(text)
    return Network(
        name=os.fspath(system), terminals=tables.get("terminals", tables.get("rows", n)), lanes=0, stages=0, links=None, tables=tables
    )
