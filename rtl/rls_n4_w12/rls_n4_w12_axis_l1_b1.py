# SPDX-License-Identifier: MIT OR Apache-2.0
# rls_n4_w12_axis_l1_b1 as a module of LiteX. Generated; do not edit. Generator (frit generate rls -n 4 -w 12 --layout files --axis --length 1 --buffers 1 --port-style axis --axil --reset async)
import os

from migen import Cat, ClockSignal, Instance, ResetSignal, Signal

from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.csr import CSRStatus, CSRStorage

DESCRIPTION = "Latin square of rotations on the Butterfly-Butterfly, self-routing labels: 4 terminals, 12 bits"

# The Verilog, relative to this file, in the order in which tools should read it.
SOURCES = [
    "../frit_cells/frit_axis_control.v",
    "../frit_cells/frit_axis_drain.v",
    "../frit_cells/frit_axis_load.v",
    "../frit_cells/frit_axis_marks.v",
    "../frit_cells/frit_begin_copy.v",
    "../frit_cells/frit_cycle_counter.v",
    "../frit_cells/frit_delay_line.v",
    "../frit_cells/frit_flight.v",
    "../frit_cells/frit_label_entry.v",
    "../frit_cells/frit_label_gen.v",
    "../frit_cells/frit_label_switch.v",
    "../frit_cells/frit_message_memory.v",
    "../frit_cells/frit_round_delay.v",
    "../frit_cells/frit_sequencer.v",
    "../frit_cells/frit_switch.v",
    "../frit_cells/frit_terminal.v",
    "rls_n4_w12_fabric.v",
    "rls_n4_w12_labels.v",
    "rls_n4_w12_axis_l1_b1_core.v",
    "rls_n4_w12_axis_l1_b1.v",
]


class rls_n4_w12_axis_l1_b1(LiteXModule):
    """The core in the clock domain "sys".

    sinks: 4 endpoints, one for each stream.
    sources: 4 endpoints, one for each stream.
    ports: a Signal for each other port, by the port's name in the Verilog.
    platform: the Verilog is added to it, if it is given.
    with_csr: whether CSRs show and drive those of `ports` that have one lane. Your logic drives the other inputs.
    """

    def __init__(self, platform=None, with_csr=True):
        if platform is not None:
            self.add_sources(platform)

        self.sinks = [
            stream.Endpoint([("data", 12), ("dest", 2)], name=f"sinks{lane}")
            for lane in range(4)
        ]
        self.sources = [
            stream.Endpoint([("data", 12), ("id", 2)], name=f"sources{lane}")
            for lane in range(4)
        ]
        self.ports = ports = {
            # starts an exchange if ready_o is high: at once, or when the last words of the running exchange have entered
            "start_i": Signal(1, name="start_i"),
            # cycles of the last exchange, valid from done_o on
            "cycles_o": Signal(32, name="cycles_o"),
            # a start is taken: all messages are loaded, the outputs have room, and no other start is pending
            "ready_o": Signal(1, name="ready_o"),
            # an exchange runs
            "busy_o": Signal(1, name="busy_o"),
            # high for one cycle after the end of an exchange
            "done_o": Signal(1, name="done_o"),
            # error: start while a message was missing
            "missing_o": Signal(1, name="missing_o"),
            # error: a duplicate message for a destination was dropped
            "double_o": Signal(1, name="double_o"),
            # error: a message for a terminal that does not exist was dropped
            "unknown_o": Signal(1, name="unknown_o"),
            # error: tlast in the wrong place
            "length_o": Signal(1, name="length_o"),
            # error: two messages wanted one output of a switch
            "conflict_o": Signal(1, name="conflict_o"),
        }
        self.specials += Instance(
            "rls_n4_w12_axis_l1_b1",
            i_clk_i=ClockSignal(),
            i_rst_i=ResetSignal(),
            i_s_axis_tvalid_i=Cat(*[lane.valid for lane in self.sinks]),
            o_s_axis_tready_o=Cat(*[lane.ready for lane in self.sinks]),
            i_s_axis_tdata_i=Cat(*[lane.data for lane in self.sinks]),
            i_s_axis_tdest_i=Cat(*[lane.dest for lane in self.sinks]),
            i_s_axis_tlast_i=Cat(*[lane.last for lane in self.sinks]),
            o_m_axis_tvalid_o=Cat(*[lane.valid for lane in self.sources]),
            i_m_axis_tready_i=Cat(*[lane.ready for lane in self.sources]),
            o_m_axis_tdata_o=Cat(*[lane.data for lane in self.sources]),
            o_m_axis_tid_o=Cat(*[lane.id for lane in self.sources]),
            o_m_axis_tlast_o=Cat(*[lane.last for lane in self.sources]),
            i_start_i=ports["start_i"],
            o_cycles_o=ports["cycles_o"],
            o_ready_o=ports["ready_o"],
            o_busy_o=ports["busy_o"],
            o_done_o=ports["done_o"],
            o_missing_o=ports["missing_o"],
            o_double_o=ports["double_o"],
            o_unknown_o=ports["unknown_o"],
            o_length_o=ports["length_o"],
            o_conflict_o=ports["conflict_o"],
        )
        if with_csr:
            self.add_csrs()

    def add_csrs(self):
        """A CSR for each port of one lane."""
        ports = self.ports
        self.start = CSRStorage(1, description="starts an exchange if ready_o is high: at once, or when the last words of the running exchange have entered")
        self.comb += ports["start_i"].eq(self.start.re & self.start.storage)
        self.cycles = CSRStatus(32, description="cycles of the last exchange, valid from done_o on")
        self.comb += self.cycles.status.eq(ports["cycles_o"])
        self.ready = CSRStatus(1, description="a start is taken: all messages are loaded, the outputs have room, and no other start is pending")
        self.comb += self.ready.status.eq(ports["ready_o"])
        self.busy = CSRStatus(1, description="an exchange runs")
        self.comb += self.busy.status.eq(ports["busy_o"])
        self.done = CSRStatus(1, description="high for one cycle after the end of an exchange")
        self.comb += self.done.status.eq(ports["done_o"])
        self.missing = CSRStatus(1, description="error: start while a message was missing")
        self.comb += self.missing.status.eq(ports["missing_o"])
        self.double = CSRStatus(1, description="error: a duplicate message for a destination was dropped")
        self.comb += self.double.status.eq(ports["double_o"])
        self.unknown = CSRStatus(1, description="error: a message for a terminal that does not exist was dropped")
        self.comb += self.unknown.status.eq(ports["unknown_o"])
        self.length = CSRStatus(1, description="error: tlast in the wrong place")
        self.comb += self.length.status.eq(ports["length_o"])
        self.conflict = CSRStatus(1, description="error: two messages wanted one output of a switch")
        self.comb += self.conflict.status.eq(ports["conflict_o"])

    @staticmethod
    def add_sources(platform):
        """Adds the Verilog to a platform."""
        folder = os.path.dirname(os.path.abspath(__file__))
        for source in SOURCES:
            platform.add_source(os.path.join(folder, source))
