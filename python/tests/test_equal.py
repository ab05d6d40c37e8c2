"""Arrays and texts are those of the command, for every system and every option at small sizes."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fritillary
import numpy as np
import pytest

SIZES = (2, 4, 6, 8, 10, 16)
WIDTH_TYPES = (np.uint8, np.uint16, np.uint32, np.uint64)


def variants(system: fritillary.System) -> Iterator[dict[str, Any]]:
    """No option; each option with each of its words, or with numbers of its range; all pairs of words of the first two options."""
    yield {}
    for option in system.options:
        for word in option.values:
            yield {option.name.replace("-", "_"): word}
        if option.range:
            least, most = option.range
            for number in sorted({least, min(least + 1, most), min(4, most)}):
                yield {option.name.replace("-", "_"): number}
    words = [option for option in system.options if option.values][:2]
    if len(words) == 2:
        for one in words[0].values:
            for other in words[1].values:
                yield {words[0].name.replace("-", "_"): one, words[1].name.replace("-", "_"): other}


def arguments(system: str, n: int, options: dict[str, Any]) -> list[str]:
    given = [system, "-n", str(n)]
    for key, value in options.items():
        given += ["--set", f"{key.replace('_', '-')}={value}"]
    return given


def cases(kind: str) -> list[Any]:
    found = []
    for system in fritillary.systems():
        if system.kind == kind:
            for options in variants(system):
                name = ",".join(f"{key}={value}" for key, value in options.items())
                found.append(pytest.param(system.system, options, id=f"{system.system}[{name}]"))
    return found


def columns(path: Path) -> dict[str, list[str]]:
    with path.open() as file:
        rows = list(csv.reader(file))
    return {name: [row[at] for row in rows[1:]] for at, name in enumerate(rows[0])}


def compare(table: fritillary.Table, path: Path) -> None:
    """The columns are those of the file, and no others."""
    expected = columns(path)
    assert list(table) == list(expected)
    for name, column in table.items():
        if name == "payload":
            digits = 2 * column.dtype.itemsize
            assert [f"{word:0{digits}x}" for word in column.tolist()] == expected[name]
        else:
            assert column.astype(np.uint64).tolist() == [int(text) for text in expected[name]], name


def test_systems(frit: Any, count: dict[str, int]) -> None:
    listed = frit.json("systems")
    assert [system.system for system in fritillary.systems()] == [member["system"] for member in listed]
    for system, member in zip(fritillary.systems(), listed, strict=True):
        assert [option.name for option in system.options] == [option["name"] for option in member["options"]]
    count["systems"] = len(listed)


@pytest.mark.parametrize(("system", "options"), cases("planned"))
def test_planned(system: str, options: dict[str, Any], frit: Any, count: dict[str, int], tmp_path: Path) -> None:
    for at, n in enumerate(SIZES):
        given = arguments(system, n, options)
        dtype = np.dtype(WIDTH_TYPES[at % len(WIDTH_TYPES)])
        rng = np.random.default_rng(n)
        try:
            plan = fritillary.plan(system, n, **options)
        except fritillary.UsageError as error:
            assert str(error) == frit.error("simulate", *given)
            count["errors"] = count.get("errors", 0) + 1
            continue
        payload = rng.integers(0, np.iinfo(dtype).max, (plan.n, plan.n), dtype=dtype, endpoint=True)
        payload.tofile(tmp_path / "payload.bin")
        files = {name: tmp_path / name for name in ("settings.csv", "deliveries.csv", "received.bin")}
        report = frit.json(
            "simulate", *given, "-w", str(8 * dtype.itemsize), "--payload", tmp_path / "payload.bin",
            "--settings", files["settings.csv"], "--deliveries", files["deliveries.csv"], "--received", files["received.bin"],
        )  # fmt: skip
        run = fritillary.simulate(plan, payload, settings=True, deliveries=True)
        # Words of an array come from no file.
        assert {**run.report, "payload": report["payload"]} == report
        assert (run.ok, run.cycles) == (report["missing"] + report["misrouted"] + report["conflicts"] == 0, plan.cycles)
        assert run.settings is not None and run.deliveries is not None and run.received is not None
        compare(run.settings, files["settings.csv"])
        compare(run.deliveries, files["deliveries.csv"])
        assert run.received.dtype == dtype
        assert run.received.tobytes() == files["received.bin"].read_bytes()
        if system != "benes" and run.ok and options.get("permutation") is None:
            assert (run.received == payload.T).all() or report["delivered"] < plan.n**2
        # The same without words, and what is asked of a plan alone.
        assert fritillary.simulate(plan).report["delivered"] == report["delivered"]
        tables = frit.json("network", *given)
        assert plan.network.tables == tables
        assert plan.network.links is not None and plan.network.links.tolist() == tables["links"]
        schedule = frit.json("schedule", *given)
        compare_schedule(plan, schedule)
        count["exchanges: report, settings, deliveries, received words"] = count.get(
            "exchanges: report, settings, deliveries, received words", 0) + 4
        count["networks"] = count.get("networks", 0) + 1
        count["schedules"] = count.get("schedules", 0) + 1


def compare_schedule(plan: fritillary.Plan, schedule: Any) -> None:
    destinations, labels, words = plan.destinations(), plan.labels(), plan.control_words()
    assert len(schedule["rounds"]) == plan.rounds
    for k, member in enumerate(schedule["rounds"]):
        assert destinations[k].tolist() == member["destinations"]
        text = None if labels is None else [f"{label:0{plan.hops}b}" for label in labels[k].tolist()]
        assert text == member.get("labels")
        assert (words[k].rstrip("~") if words else None) == member.get("word")
        assert ["".join(map(str, row.astype(int))) for row in plan.states(k)] == member["states"]


@pytest.mark.parametrize(("system", "options"), cases("streamed"))
def test_streamed(system: str, options: dict[str, Any], frit: Any, count: dict[str, int]) -> None:
    for n in (2, 4, 8):
        given = arguments(system, n, options)
        try:
            plan = fritillary.plan(system, n, **options)
        except fritillary.UsageError as error:
            assert str(error) == frit.error("simulate", *given)
            count["errors"] = count.get("errors", 0) + 1
            continue
        assert isinstance(plan, fritillary.StreamPlan)
        run = fritillary.simulate(plan, np.arange(plan.words))
        assert run.report == frit.json("simulate", *given)
        assert run.received is not None and run.received.reshape(-1).tolist() == plan.sources().tolist()
        count["streams"] = count.get("streams", 0) + 1


def events_of(path: Path) -> list[tuple[str, ...]]:
    with path.open() as file:
        return [tuple(row) for row in csv.reader(file)]


def as_csv(events: dict[str, fritillary.Table]) -> list[tuple[str, ...]]:
    """Events as the rows of the file."""
    names: list[str] = []
    for table in events.values():
        names += [name for name in table if name not in ("order", *names)]
    several = len(events) > 1
    rows = []
    for kind, table in events.items():
        for at in range(table.rows):
            cells = [kind] if several else []
            for name in names:
                cell = table[name][at] if name in table else ""
                cells.append(" ".join(map(str, cell)) if isinstance(cell, np.ndarray) else str(cell))
            rows.append((int(table["order"][at]), tuple(cells)))
    head = (("event",) if several else ()) + tuple(names)
    return [head, *(row for _, row in sorted(rows))]


@pytest.mark.parametrize(("system", "options"), cases("routed"))
def test_routed(system: str, options: dict[str, Any], frit: Any, count: dict[str, int], tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    for n in (4, 8):
        given = arguments(system, n, options)
        messages = np.stack([np.repeat(np.arange(n), 2), rng.integers(0, n, 2 * n)], axis=1)
        (tmp_path / "messages").write_text("".join(f"{source} {destination}\n" for source, destination in messages))
        command = ["route", *given, "--traffic", str(tmp_path / "messages"), "--events", str(tmp_path / "events.csv")]
        try:
            routed = fritillary.route(system, n, messages, events=True, **options)
        except fritillary.UsageError as error:
            assert str(error) == frit.error(*command).replace(str(tmp_path / "messages"), "messages")
            count["errors"] = count.get("errors", 0) + 1
            continue
        report = frit.json(*command)
        assert routed.report == {**report, "traffic": "messages"}
        assert routed.events is not None
        assert as_csv(routed.events) == events_of(tmp_path / "events.csv")
        # Traffic of a kind, and the tables of the network.
        assert fritillary.route(system, n, seed=3, **options).report == frit.json("route", *given, "--seed", "3")
        assert fritillary.network(system, n, **options).tables == frit.json("network", *given)
        count["routed: reports"] = count.get("routed: reports", 0) + 2
        count["routed: events"] = count.get("routed: events", 0) + 1
        count["networks"] = count.get("networks", 0) + 1


@pytest.mark.parametrize("system", [system.system for system in fritillary.systems() if system.kind == "planned"])
def test_relations_on_planned_systems(system: str, frit: Any, count: dict[str, int], tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    messages = rng.integers(0, 8, (40, 2))
    (tmp_path / "messages").write_text("".join(f"{source},{destination}\n" for source, destination in messages))
    command = ["route", system, "-n", "8", "--traffic", str(tmp_path / "messages")]
    try:
        routed = fritillary.route(system, 8, messages)
    except fritillary.UsageError as error:
        assert str(error) == frit.error(*command).replace(str(tmp_path / "messages"), "messages")
        count["errors"] = count.get("errors", 0) + 1
        return
    expected = {**frit.json(*command), "traffic": "messages", "relation": "messages"}
    assert routed.report == expected
    count["routed: reports"] = count.get("routed: reports", 0) + 1


DEMANDS: list[tuple[str, dict[str, Any]]] = [
    ("uniform", {"words": 20}), ("zipf", {"words": 30, "exponent": 1.5}), ("log-normal", {"words": 20, "sigma": 0.5}),
    ("hot-spot", {"words": 20, "hot": 3, "percent": 40}), ("block-diagonal", {"words": 20, "block": 2}),
    ("sparse", {"words": 20, "pairs": 3}), ("experts", {"tokens": 30, "experts": 2, "top_k": 3, "capacity": 1.25}),
    ("experts", {"tokens": 30, "placement": "balanced"}), ("zipf", {"exponent": -1.0}), ("uniform", {"hot": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "options"), DEMANDS)
def test_demand(kind: str, options: dict[str, Any], frit: Any, count: dict[str, int], tmp_path: Path) -> None:
    flags = [text for key, value in options.items() for text in (f"--{key.replace('_', '-')}", str(value))]
    made = tmp_path / "demand.npy"
    command = ["demand", kind, "-n", "8", "--seed", "5", *flags, "-o", str(made)]
    try:
        demand = fritillary.demand(kind, 8, seed=5, **options)
    except fritillary.UsageError as error:
        assert str(error) == frit.error(*command)
        count["errors"] = count.get("errors", 0) + 1
        return
    report = frit.json(*command)
    assert demand.report() == report and demand.h == report["h"]
    assert (demand.words == np.load(made)).all()
    program = ["demand", str(made), "--entries", "64", "-o", str(tmp_path / "program.memh")]
    if error := frit.error(*program):
        with pytest.raises(fritillary.UsageError) as refused:
            demand.program(64)
        assert str(refused.value) == error
    else:
        lines = (tmp_path / "program.memh").read_text().splitlines()
        assert demand.program(64).tolist() == [int(line, 16) for line in lines if not line.startswith("//")]
    for flags in ([], ["--delta", "10", "--planes", "2", "--matchings", "16"]):
        given = {key.removeprefix("--"): int(value) for key, value in zip(flags[::2], flags[1::2], strict=True)}
        compared = demand.compare(**given)
        expected = frit.json("compare", "--demand", str(made), *flags)
        for report in (compared.report, expected):
            for row in report["rows"]:
                row.pop("planning_ms")
        assert compared.report == {**expected, "demand": "the demand"}
        equal_rows(compared.rows, expected["rows"])
        count["comparisons of planners"] = count.get("comparisons of planners", 0) + 1
    demand.save(tmp_path / "again.npy")
    assert (tmp_path / "again.npy").read_bytes() == made.read_bytes()
    assert (fritillary.demand(demand.words).words == demand.words).all()
    for system, two_hop in (("benes", False), ("rls", False), ("obf", False), ("xor", False), ("rls", True)):
        carried = demand.plan(system, two_hop=two_hop, arrivals=not two_hop)
        two = ["--two-hop"] if two_hop else []
        rows = [] if two_hop else ["--deliveries", str(tmp_path / "deliveries.csv")]
        assert carried.report == frit.json("simulate", system, "-n", "8", "--demand", str(made), *two, *rows)
        assert int(sum(slots.hold.sum() for slots in carried.exchanges)) == carried.rounds
        if carried.arrivals is not None:
            expected = columns(tmp_path / "deliveries.csv")
            for name in ("cycle", "output", "source", "round"):
                assert carried.arrivals[name].tolist() == [int(text) for text in expected[name]]
            assert carried.arrivals["word"].tolist() == [int(text, 16) for text in expected["payload"]]
        count["demands carried"] = count.get("demands carried", 0) + 1
    count["demands"] = count.get("demands", 0) + 1


def equal_rows(table: fritillary.Table, rows: list[dict[str, Any]]) -> None:
    """The cells are those of rows of JSON."""
    assert rows and table.rows == len(rows)
    for row, at in zip(rows, range(table.rows), strict=True):
        for name, cell in row.items():
            found = table[name][at]
            assert np.isnan(found) if cell is None and table[name].dtype.kind == "f" else found == cell, (name, found, cell)


@pytest.mark.parametrize(
    ("n", "options", "flags"),
    [
        (8, {}, []),
        (6, {"sort": "-cycles"}, ["--sort=-cycles"]),
        (16, {"systems": ["rls", "obf", "gsen"]}, ["--systems", "rls,obf,gsen"]),
        (8, {"permutation": True}, ["--permutation"]),
        (8, {"relation": 4}, ["--relation", "4"]),
        (4, {"stream": ["transpose", "rows=8"]}, ["--stream", "transpose", "rows=8"]),
        (8, {"systems": ["rsl"]}, ["--systems", "rsl"]),
    ],
)
def test_compare(n: int, options: dict[str, Any], flags: list[str], frit: Any, count: dict[str, int]) -> None:
    command = ["compare", "-n", str(n), *flags]
    if error := frit.error(*command):
        with pytest.raises(fritillary.UsageError) as refused:
            fritillary.compare(n, **options)
        assert str(refused.value) == error
        count["errors"] = count.get("errors", 0) + 1
        return
    compared = fritillary.compare(n, **options)
    expected = frit.json(*command)
    assert compared.ok and compared.report == expected
    equal_rows(compared.rows, expected["rows"])
    count["comparisons of systems"] = count.get("comparisons of systems", 0) + 1


def test_a_changed_row_is_seen(frit: Any) -> None:
    rows = frit.json("compare", "-n", "8", "--systems", "rls,obf")["rows"]
    table = fritillary.compare(8, ["rls", "obf"]).rows
    equal_rows(table, rows)
    rows[1]["cycles"] += 1
    with pytest.raises(AssertionError, match="cycles"):
        equal_rows(table, rows)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("system", [system.system for system in fritillary.systems()])
@pytest.mark.parametrize("flags", [{}, {"axis": True}, {"cells": "prefix", "fabric_style": "compact"}])
def test_generate(system: str, flags: dict[str, Any], frit: Any, count: dict[str, int], tmp_path: Path) -> None:
    kinds = {one.system: one.kind for one in fritillary.systems()}
    make = fritillary.routed if kinds[system] == "routed" else fritillary.plan
    given = [text for key, value in flags.items() for text in (f"--{key.replace('_', '-')}", *([] if value is True else [value]))]
    command = ["generate", system, "-n", "8", "-w", "8", *given, "-o", str(tmp_path / "theirs")]
    try:
        generated = fritillary.generate(make(system, 8), 8, tmp_path / "ours", **flags)
    except fritillary.UsageError as error:
        assert str(error) == frit.error(*command)
        count["errors"] = count.get("errors", 0) + 1
        return
    report = frit.json(*command)
    # Both name the folder.
    assert generated.report.keys() == report.keys() and generated.report["make"].endswith(report["make"].split()[-1])
    assert {**generated.report, "folder": None, "make": None} == {**report, "folder": None, "make": None}
    ours, theirs = files_of(tmp_path / "ours"), files_of(tmp_path / "theirs")
    assert ours == theirs and len(ours) >= len(generated.files)
    count["files written"] = count.get("files written", 0) + len(ours)


def test_generate_with_words(frit: Any, count: dict[str, int], tmp_path: Path) -> None:
    payload = np.random.default_rng(1).integers(0, 1 << 16, (8, 8), dtype=np.uint16)
    payload.tofile(tmp_path / "payload.bin")
    fritillary.generate(fritillary.plan("rls", 8), None, tmp_path / "ours", payload=payload)
    done = frit.run("generate", "rls", "-n", "8", "-w", "16", "--payload", tmp_path / "payload.bin", "-o", tmp_path / "theirs")
    assert done.returncode == 0, done.stderr
    assert files_of(tmp_path / "ours") == files_of(tmp_path / "theirs")
    count["files written"] = count.get("files written", 0) + len(files_of(tmp_path / "ours"))


def test_verify_and_diff(frit: Any, count: dict[str, int], tmp_path: Path) -> None:
    plan = fritillary.plan("rls", 4)
    for flags, given in (({}, []), ({"fault": "inverted-control:2:1"}, ["--fault", "inverted-control:2:1"])):
        found = fritillary.verify(plan, 8, engines=["rust-hdl"], folder=tmp_path / "ours", **flags)
        report = frit.json("verify", "rls", "-n", "4", "-w", "8", "--engines", "rust-hdl", "-o", tmp_path / "theirs", *given)
        assert without_times(found.report) == without_times(report)
        assert found.ok is (not flags) and found.engines["rust_hdl"].agrees is (not flags)
        ours = [tmp_path / "ours" / engine / "deliveries.csv" for engine in ("model", "rust-hdl")]
        difference = fritillary.diff(*ours)
        assert difference.same is (not flags)
        theirs = frit.json("diff", *ours)
        assert difference.report == theirs
        count["verifications and comparisons"] = count.get("verifications and comparisons", 0) + 2
    with pytest.raises(fritillary.UsageError) as error:
        fritillary.verify(plan, 8, fault="nothing")
    assert str(error.value) == frit.error("verify", "rls", "-n", "4", "-w", "8", "--fault", "nothing")


def without_times(report: Any) -> Any:
    """A report without seconds and folders."""
    if isinstance(report, dict):
        return {key: without_times(value) for key, value in report.items() if key not in ("seconds", "wave")}
    return report


def test_a_changed_array_is_seen(frit: Any, tmp_path: Path) -> None:
    """The comparison of these tests fails where one number differs, or one column is missing."""
    frit.json("simulate", "rls", "-n", "4", "--settings", tmp_path / "settings.csv")
    settings = fritillary.plan("rls", 4).settings()
    compare(settings, tmp_path / "settings.csv")
    for name in settings:
        changed = {other: column.copy() for other, column in settings.items()}
        changed[name][3] = not changed[name][3] if name == "state" else changed[name][3] + 1
        with pytest.raises(AssertionError):
            compare(fritillary.Table(changed), tmp_path / "settings.csv")
        del changed[name]
        with pytest.raises(AssertionError):
            compare(fritillary.Table(changed), tmp_path / "settings.csv")
