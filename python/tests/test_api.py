"""What the package promises beyond the command: dtypes, views, errors, progress, Ctrl-C."""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fritillary
import numpy as np
import pytest
from fritillary import _words


def test_the_names_of_the_readme() -> None:
    a = np.arange(32 * 32, dtype=np.uint32).reshape(32, 32)
    p = fritillary.plan("rls", 32)
    r = fritillary.simulate(p, payload=a)
    assert p.cycles == 40 and r.ok
    assert r.received is not None and r.received.dtype == a.dtype and (r.received == a.T).all()


@pytest.mark.parametrize(
    "dtype", ["bool", "i1", "u1", "i2", "f2", "f4", "i8", "f8", ">u4", "c8", "c16", "S5", "U3", "M8[s]", "u1,f8", "V128"]
)
def test_words_of_any_dtype(dtype: str) -> None:
    kind = np.dtype(dtype)
    raw = np.random.default_rng(5).integers(0, 2 if dtype == "bool" else 100, 64 * kind.itemsize, dtype=np.uint8)
    a = raw.view(kind).reshape(8, 8)
    received = fritillary.simulate(fritillary.plan("rls", 8), payload=a).received
    assert received is not None and received.dtype == a.dtype and received.tobytes() == a.T.tobytes()


def test_a_matrix_of_bits_is_an_array_of_any_whole_numbers() -> None:
    eye = np.eye(4, dtype=int)
    for matrix in (eye, eye.astype(bool), eye.tolist(), eye.astype(np.uint8)):
        plan = fritillary.permute(4, matrix=matrix)
        assert plan.words == 16 and plan.sources().tolist() == list(range(16))
    # The first row is that of the most significant bit, as in a file.
    assert fritillary.permute(4, matrix=eye[::-1]).sources()[1] == 8
    with pytest.raises(fritillary.UsageError, match="is not a row"):
        fritillary.permute(4, matrix=2 * eye)


def test_numbers_below_zero_are_refused_as_others() -> None:
    demand = fritillary.demand(np.ones((4, 4), dtype=int))
    for entries in (-1, 2**70):
        with pytest.raises(fritillary.UsageError, match="give a power of two from 2 to 4096"):
            demand.program(entries)
    plan = fritillary.plan("rls", 8)
    for ask in (lambda: plan.destinations(-1), lambda: plan.labels(0, -1), lambda: plan.states(-1)):
        with pytest.raises(fritillary.UsageError, match="give rounds from 0 to 8"):
            ask()


def test_demands_of_any_numbers_that_are_whole() -> None:
    counts = np.array([[0, 157], [9, 3]])
    for same in (counts.astype(np.float32), counts.astype(object), counts.astype(">u2"), counts.tolist()):
        assert fritillary.demand(same).words.tolist() == counts.tolist()
    assert fritillary.demand(np.stack([counts, 2 * counts]).astype(float), layer=1).words.tolist() == (2 * counts).tolist()
    experts = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    assert fritillary.demand(experts, experts_per_rank=2).words.tolist() == [[3, 7], [11, 15]]
    assert fritillary.demand(np.eye(4, dtype=bool)).h == 1


def test_schedules(tmp_path: Path) -> None:
    words = np.array([[0, 9, 2], [4, 0, 1], [3, 3, 0]])
    demand = fritillary.demand(words)
    plan = demand.schedule(tmp_path / "p.csv", delta=3, pace=fritillary.Pace(4, clock="1M"))
    assert plan.report["schedule_cycles"] == plan.report["time_us"] == int((plan.rows.start + plan.rows.hold).max())
    carried = np.zeros((3, 3), int)
    for hold, to in zip(plan.rows.hold, plan.destination, strict=True):
        for source, destination in enumerate(to):
            carried[source, destination] += int(hold)
    assert (carried >= words).all()
    assert (tmp_path / "p.csv").read_text().startswith("plane,start,hold,start_us,hold_us,0,1,2")
    exact = demand.schedule(planner="exact")
    assert (exact.report["planner"], exact.report["schedule_cycles"], exact.report["time_lower_bound"]) == ("exact", 12, 12.0)
    demand.schedule(tmp_path / "c", form="openconfig")
    assert "port-connection" in (tmp_path / "c").read_text()
    with pytest.raises(fritillary.UsageError, match="--matchings applies to the planner few"):
        demand.schedule(planner="cover", matchings=3)


def test_orders_of_streams_take_lists() -> None:
    assert fritillary.permute(4, kind="pfa", factors=[3, 4]).name == fritillary.permute(4, kind="pfa", factors="3,4").name
    turned = fritillary.permute(2, kind="axes", shape=(2, 4, 3), axes=np.array([2, 0, 1]))
    assert turned.sources().tolist() == np.arange(24).reshape(2, 4, 3).transpose(2, 0, 1).ravel().tolist()
    assert fritillary.permute(2, gather=[3, 1, 0, 2]).sources().tolist() == [3, 1, 0, 2]


def test_plans_are_reused_and_checked(tmp_path: Path) -> None:
    first = fritillary.demand("uniform", 16, words=800)
    second = fritillary.demand(first.words + np.arange(256).reshape(16, 16) % 3)
    last = first.schedule(tmp_path / "p.json", delta=10)
    assert first.check(last)["delivered"] == int(first.words.sum()) == first.check(tmp_path / "p.json", delta=10)["delivered"]
    again = second.schedule(delta=10, reuse=last)
    assert again.report["planner"] == "reuse" and again.report["configurations_kept"] > 0
    assert second.check(again)["fault"] is None
    # A plan of another demand leaves words out, and has no time.
    pace = fritillary.Pace(64, link="400G")
    found = second.check(last, pace=pace)
    assert found["delivered"] is None and "is joined for" in found["fault"] and "gb_per_s" not in found
    assert first.check(last, pace=pace)["gb_per_s"] > 0
    with pytest.raises(fritillary.UsageError, match="the plan has 16 terminals, but the demand has 4"):
        fritillary.demand(np.ones((4, 4))).check(last)


def test_racks_are_planned_in_two_levels() -> None:
    demand = fritillary.demand("uniform", 24, words=300)
    plan = demand.racks(4, 2, delta=20)
    assert plan.report["time_lower_bound"] <= plan.report["schedule_cycles"] < plan.report["alone_cycles"]
    assert plan.terminals.destination.shape[1] == 24 and plan.circuits.destination.shape[1] == 4
    assert int((plan.terminals.rows.start + plan.terminals.rows.hold).max()) == plan.report["schedule_cycles"]
    assert demand.racks(4).report["uplinks"] == 6
    with pytest.raises(fritillary.UsageError, match="5 racks are not allowed"):
        demand.racks(5)


def test_the_transforms_of_the_example_are_those_of_the_definition(capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "ntt.py"))
    main, core = example["main"], example["Core"]
    assert main() == 0 and capsys.readouterr().out.count("as by definition") == 3

    # Another order of the values is another automorphism.
    class Wrong(core):  # type: ignore[misc, valid-type]
        def __init__(self, **options: Any) -> None:
            super().__init__(**({**options, "c": 1} if options["kind"] == "affine" else options))

    main.__globals__["Core"] = Wrong
    assert main() == 1 and "automorphism x -> x^5: DIFFERS" in capsys.readouterr().out


def test_files_of_all_ranks(tmp_path: Path) -> None:
    for rank in range(2):
        (tmp_path / f"rank{rank}.csv").write_text(f"layer_id,expert_id,count\n0,0,{rank + 1}\n0,1,5\n")
    paths = sorted(tmp_path.glob("rank*.csv"))
    assert fritillary.demand(paths, layer=0, experts_per_rank=1).words.tolist() == [[1, 5], [2, 5]]
    assert fritillary.demand([str(path) for path in paths], layer=0, experts_per_rank=1).h == 10


def test_seconds_and_bytes() -> None:
    pace = fritillary.Pace(4, clock="250M")
    assert (pace.time_us(19), pace.gb_per_s(256, 19), pace.gb_per_s(1, 0)) == (0.076, 13.4737, None)
    assert fritillary.simulate(fritillary.plan("xor", 16), pace=pace).report["time_us"] == 0.076
    demand = fritillary.demand(np.array([[0, 100, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]))
    link = fritillary.Pace(14336, link="400G")
    assert demand.report(pace=link)["time_us"] == 28.672
    carried = demand.plan(pace=pace)
    assert carried.report["time_us"] == round(carried.cycles * 0.004, 6)
    # An ideal crossbar has no stages: 100 cycles.
    assert demand.compare(pace=pace).rows.time_us.min() == 0.4
    assert fritillary.compare(8, ["rls"], word_bytes=4, clock="1G").rows.time_us.tolist() == [0.012]
    for wrong in ({}, {"link": "400GB/s"}, {"link": "1G", "clock": "1G"}):
        with pytest.raises(fritillary.UsageError):
            fritillary.Pace(4, **wrong)


def test_tables_and_networks_are_shown() -> None:
    table = fritillary.compare(8, ["rls", "xor"]).rows
    assert table[1]["system"] == "xor" and table[1:].rows == table.rows - 1 and table[-1]["terminals"] == 8
    assert "xor" in repr(table) and repr(table).endswith(f"[{table.rows} rows x {len(table)} columns]")
    assert "<td>xor</td>" in table._repr_html_()
    plan = fritillary.plan("rls", 8)
    many = fritillary.simulate(plan, deliveries=True).deliveries
    assert many is not None and many.rows == 64 and "..." in repr(many) and len(repr(many).splitlines()) == 23
    edges = plan.network.edges()
    assert len(edges) == (plan.stages + 1) * plan.lanes and edges[0][0] == "in0" and edges[-1][1] == "out7"
    # Every switch has two links in and two out, every terminal one.
    ends = [node for begin, end, _, _ in edges for node in (begin, end)]
    assert {ends.count(node) for node in ends} == {1, 4}
    assert plan.svg().startswith("<svg") and "srcdoc" in plan.view()._repr_html_()
    assert fritillary.__version__.count(".") == 2


def test_words_that_do_not_lie_row_by_row() -> None:
    a = np.arange(256, dtype=np.int16).reshape(16, 16)
    p = fritillary.plan("rls", 8)
    for view in (a[::2, ::2], a.T[:8, :8], a[:8, :8][::-1]):
        received = fritillary.simulate(p, payload=view).received
        assert received is not None and (received == view.T).all()


def test_words_at_odd_addresses() -> None:
    odd = np.arange(8 * 64 + 1, dtype=np.uint8)[1:].view(np.uint64).reshape(8, 8)
    received = fritillary.simulate(fritillary.plan("rls", 8), payload=odd).received
    assert not odd.flags.aligned and received is not None and (received == odd.T).all()


def test_narrow_words() -> None:
    a = np.random.default_rng(2).integers(0, 1 << 20, (8, 8), dtype=np.uint32)
    p = fritillary.plan("rls", 8)
    run = fritillary.simulate(p, payload=a, width=20, deliveries=True)
    assert run.received is not None and (run.received == a.T).all() and run.report["width"] == 20
    assert run.deliveries is not None and run.deliveries.payload.tolist() == [
        int(a[s, o]) for s, o in zip(run.deliveries.source, run.deliveries.output, strict=True)
    ]
    with pytest.raises(fritillary.UsageError, match="does not fit into 12 bits"):
        fritillary.simulate(p, payload=a, width=12)
    with pytest.raises(fritillary.UsageError, match="does not fit"):
        fritillary.simulate(p, payload=a, width=17)


def test_errors_say_what_to_do() -> None:
    p = fritillary.plan("rls", 8)
    for call, text in (
        (lambda: fritillary.plan("rsl", 8), "is not a system"),
        (lambda: fritillary.plan("rls", 7), "nearest size"),
        (lambda: fritillary.plan("rls"), "-n is missing"),
        (lambda: fritillary.plan("rls", 8, colour="red"), "has no option"),
        (lambda: fritillary.plan("dilated", 8), "is a routed system"),
        (lambda: fritillary.routed("rls", 8), "is not a routed system"),
        (lambda: fritillary.simulate(p, payload=np.zeros((8, 7))), r"shape \[8, 8\]"),
        (lambda: fritillary.simulate(p, payload=np.full((8, 8), None)), "fixed size"),
        (lambda: fritillary.simulate(p, payload=np.zeros((8, 8), "V129")), "at most 1024"),
        (lambda: fritillary.simulate(p, exchanges=0), "1 to 1000"),
        (lambda: p.destinations(3, 99), "out of range"),
        (lambda: p.states(8), "out of range"),
        (lambda: fritillary.route("dilated", 8, [[0, 8]]), "out of range; terminals are 0..8"),
        (lambda: fritillary.route("dilated", 8, [[0, -1]]), "below 0"),
        (lambda: fritillary.route("dilated", 8, [0, 1]), r"\[messages, 2\]"),
        (lambda: fritillary.demand(np.zeros((3, 4), int)), r"\[n, n\]"),
        (lambda: fritillary.demand(np.full((2, 2), 0.5)), r"number \[0, 0\] of the demand is 0.5"),
        (lambda: fritillary.demand(np.array([[0, np.nan], [1, 0]])), r"number \[0, 1\] of the demand is nan"),
        (lambda: fritillary.demand([["a", "b"], ["c", "d"]]), "dtype <U1"),
        (lambda: fritillary.demand(np.zeros((2, 3, 3)), layer=2), "layer is 2, but the demand has the shape"),
        (lambda: fritillary.demand(np.zeros((2, 6)), experts_per_rank=4), r"which is not \[n, n \* experts_per_rank\]"),
        (lambda: fritillary.demand("nothing", 8), "is not a kind of demand"),
        (lambda: fritillary.transpose(8, rows=63), "63"),
        (lambda: fritillary.generate(p, 0, "/nowhere"), "1 to 1024"),
    ):
        with pytest.raises(fritillary.UsageError, match=text):
            call()
    assert issubclass(fritillary.UsageError, ValueError)


def test_a_missing_tool_is_an_exception_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("FRITILLARY_TOOLS", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(fritillary.MissingToolError, match="iverilog"):
        fritillary.verify(fritillary.plan("rls", 4), 8, require=["icarus"])


def test_files_of_options_may_be_arrays() -> None:
    order = [3, 0, 2, 1, 7, 6, 4, 5]
    plan = fritillary.plan("benes", permutation=order)
    run = fritillary.simulate(plan, deliveries=True)
    assert run.deliveries is not None
    arrived = {int(s): int(o) for s, o in zip(run.deliveries.source, run.deliveries.output, strict=True)}
    assert [arrived[source] for source in range(8)] == order
    table = fritillary.network("gsen", 10).tables
    assert fritillary.route("dilated", 8, [[0, 5, 3]]).delivered == 3
    stream = fritillary.permute(2, permutation=np.array(order))
    received = fritillary.simulate(stream, np.arange(8)).received
    assert received is not None and [received.tolist()[order[k]] for k in range(8)] == list(range(8))
    assert table["terminals"] == 10


def test_a_corner_turn() -> None:
    turn = fritillary.transpose(4, rows=8, cols=16)
    picture = np.arange(128, dtype=np.uint8).reshape(8, 16)
    run = fritillary.simulate(turn, picture)
    assert run.ok and run.received is not None and (run.received == picture.T).all()


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    run = fritillary.simulate(fritillary.plan("rls", 2048), progress=lambda done, total: told.append((done, total)))
    assert run.ok and told[-1] == (2048, 2048) and [done for done, _ in told] == sorted(done for done, _ in told)


def test_an_exception_of_the_callback_ends_the_run() -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Enough

    begun = time.monotonic()
    with pytest.raises(Enough):
        fritillary.simulate(fritillary.plan("rls", 65536), progress=stop)
    assert time.monotonic() - begun < 10


@pytest.fixture
def ctrl_c() -> Iterator[Callable[[float], None]]:
    """Sends Ctrl-C in so many seconds, also where a shell in the background has this process ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers: list[threading.Timer] = []

    def later(seconds: float) -> None:
        timers.append(threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)))
        timers[-1].start()

    yield later
    for timer in timers:
        timer.cancel()
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_the_run(ctrl_c: Callable[[float], None]) -> None:
    plan = fritillary.plan("rls", 65536)
    ctrl_c(0.3)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        fritillary.simulate(plan)
    assert time.monotonic() - begun < 10


def planned(**options: Any) -> Callable[[Path], Callable[[], Any]]:
    def prepare(folder: Path) -> Callable[[], Any]:
        demand = fritillary.demand("uniform", 1024, words=8000)
        return lambda: demand.plan(**options)

    return prepare


def routed(system: str, n: int, **options: Any) -> Callable[[Path], Callable[[], Any]]:
    return lambda folder: lambda: fritillary.route(system, n, **options)


def compared(folder: Path) -> Callable[[], Any]:
    a, b = traces(folder)
    return lambda: fritillary.diff(a, b)


#: Work that takes many seconds: each prepares it in a folder.
LONG: dict[str, Callable[[Path], Callable[[], Any]]] = {
    "route obf": routed("obf", 1024, per_source=400_000, seeds=20),
    "route rls": routed("rls", 1024, seeds=40),
    "route dilated": routed("dilated", 1024, bundle=10, seeds=200),
    "route dilated, steps": routed("dilated", 1024, steps=True, seeds=20),
    "route multibutterfly": routed("multibutterfly", 1024, seeds=1000),
    "plan benes": planned(),
    "plan two hops": planned(system="rls", two_hop=True),
    "generate": lambda folder: lambda: fritillary.generate(fritillary.plan("benes", 512), 64, folder / "rtl"),
    "diff": compared,
}


def traces(folder: Path) -> list[Path]:
    """Two large traces."""
    lines = "".join(f"{cycle},0,0,0\n" for cycle in range(4_000_000))
    for name in "ab":
        (folder / name).write_text(f"cycle,stage,switch,state\n{lines}")
    return [folder / name for name in "ab"]


def seconds_of_work() -> float:
    """Seconds of the processor that this process and its children took."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("what", LONG)
def test_ctrl_c_ends_long_work(what: str, tmp_path: Path, ctrl_c: Callable[[float], None]) -> None:
    work = LONG[what](tmp_path)
    ctrl_c(0.6)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - begun < 5
    # Nothing goes on in the background, and nothing unfinished is left.
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        before = seconds_of_work()
        time.sleep(0.2)
        if seconds_of_work() - before < 0.05:
            break
    else:
        raise AssertionError("the work goes on")
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith((".part", ".tmp"))]


@pytest.mark.parametrize("what", ["route", "plan"])
def test_long_work_tells_how_far_it_is(what: str) -> None:
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    # Work that ends before anybody is told is made longer.
    for times in (1, 4, 16, 64, 256):
        told.clear()
        if what == "route":
            fritillary.route("rls", 512, seeds=2 * times, progress=tell)
            total = 2000 * times
        else:
            fritillary.demand("uniform", 512, words=2000).plan(progress=tell)
            total = 2000
        assert told[-1] == (total, total) and told == sorted(told) and {total for _, total in told} == {total}
        if len(told) > 1:
            return
    raise AssertionError("nobody was told how far it was")


def test_an_exception_of_the_callback_ends_long_work() -> None:
    def stop(done: int, total: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fritillary.route("rls", 1024, seeds=40, progress=stop)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_verification(tmp_path: Any, ctrl_c: Callable[[float], None]) -> None:
    plan = fritillary.plan("rls", 128)
    ctrl_c(0.8)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        fritillary.verify(plan, 64, engines=["rust-hdl"], folder=tmp_path)
    assert time.monotonic() - begun < 10
    # The command has left nothing that is not finished.
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith((".part", ".tmp"))]


def test_other_threads_run_meanwhile() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.005):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.monotonic()
    fritillary.simulate(fritillary.plan("rls", 8192))
    seconds = time.monotonic() - begun
    done.set()
    thread.join()
    assert ticks > seconds / 0.005 / 20


def test_words_and_results_are_not_copied() -> None:
    """The model reads words of whole limbs where they are; what is received is a view of the array that its words were moved into."""
    for dtype, shared in (("f8", True), ("c16", True), ("u4", False)):
        words = np.ones((64, 64), dtype)
        given = _words.words(words, (64, 64), None).limbs()
        assert np.shares_memory(given, words) and (given.dtype == np.uint64) is shared
    a = np.zeros((64, 64), np.uint64)
    received = fritillary.simulate(fritillary.plan("rls", 64), payload=a).received
    assert received is not None and received.base is not None
    assert fritillary.plan("rls", 8).network.links.base is not None  # type: ignore[union-attr]


class Shown:
    """A display that a test looks at."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def display(self, data: dict[str, str], **_: Any) -> Shown:
        self.texts.append(data["text/plain"])
        return self

    def update(self, data: dict[str, str], **_: Any) -> None:
        self.texts.append(data["text/plain"])


def test_a_notebook_shows_how_far_work_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from fritillary import _progress

    shown = Shown()
    shell = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    monkeypatch.delenv(_progress.VARIABLE, raising=False)
    # Work of less than a second is not shown.
    assert fritillary.simulate(fritillary.plan("rls", 8)).ok and shown.texts == []
    monkeypatch.setattr(_progress, "FIRST", 0.0)
    monkeypatch.setattr(_progress, "NEXT", 0.001)
    with _progress.told(None, "work") as tell:
        assert tell is not None
        tell(3, 4)
        wait_until(lambda: any("75 % of 4" in text for text in shown.texts))
    assert shown.texts[-1] == "" and shown.texts[0].startswith("work: ")
    shown.texts.clear()
    for quiet in (False, lambda done, total: None):
        with _progress.told(quiet, "work") as tell:
            assert tell is (quiet or None)
    monkeypatch.setenv(_progress.VARIABLE, "no")
    with _progress.told(None, "work") as tell:
        assert tell is None
    assert shown.texts == []


def wait_until(holds: Any) -> None:
    for _ in range(10_000):
        if holds():
            return
        time.sleep(0.001)
    raise AssertionError("it does not come")
