# SPDX-License-Identifier: MIT OR Apache-2.0
# rls_n4_w12_axis_l1_b1_ports_axil_arstn as a module of LiteX. Generated; do not edit. Generator (frit generate rls -n 4 -w 12 --layout files --axis --length 1 --buffers 1 --port-style axis --axil --reset async)
import os

from migen import ClockSignal, Instance, ResetSignal, Signal

from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.axi import AXILiteInterface
from litex.soc.interconnect.csr import CSRStatus, CSRStorage

DESCRIPTION = "Latin square of rotations on the Butterfly-Butterfly, self-routing labels: 4 terminals, 12 bits"

# The Verilog, relative to this file, in the order in which tools should read it.
SOURCES = [
    "../frit_cells/frit_axil_port.v",
    "../frit_cells/frit_axil_registers.v",
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
    "../frit_cells/frit_reset_sync.v",
    "../frit_cells/frit_round_delay.v",
    "../frit_cells/frit_sequencer.v",
    "../frit_cells/frit_switch.v",
    "../frit_cells/frit_terminal.v",
    "rls_n4_w12_fabric.v",
    "rls_n4_w12_labels.v",
    "rls_n4_w12_axis_l1_b1_core.v",
    "rls_n4_w12_axis_l1_b1_c.v",
    "rls_n4_w12_axis_l1_b1_ports_axil_arstn.v",
]


class rls_n4_w12_axis_l1_b1_ports_axil_arstn(LiteXModule):
    """The core in the clock domain "sys".

    sinks: 4 endpoints, one for each stream.
    sources: 4 endpoints, one for each stream.
    bus: the AXI4-Lite interface of the registers, 8 bits of address.
    ports: a Signal for each other port, by the port's name in the Verilog.
    platform: the Verilog is added to it, if it is given.
    with_csr: whether CSRs show and drive those of `ports` that have one lane. Your logic drives the other inputs.
    """

    def __init__(self, platform=None, with_csr=True):
        if platform is not None:
            self.add_sources(platform)

        self.sinks = [
            stream.Endpoint([("data", 16), ("dest", 2)], name=f"sinks{lane}")
            for lane in range(4)
        ]
        self.sources = [
            stream.Endpoint([("data", 16), ("id", 2)], name=f"sources{lane}")
            for lane in range(4)
        ]
        self.bus = AXILiteInterface(data_width=32, address_width=32)
        self.ports = ports = {
            # interrupt, as enabled in the registers
            "irq": Signal(1, name="irq"),
            # starts an exchange if ready is high
            "start": Signal(1, name="start"),
            # an exchange can start: all messages are loaded and the outputs have room
            "ready": Signal(1, name="ready"),
            # an exchange runs
            "busy": Signal(1, name="busy"),
            # high for one cycle after the end of an exchange
            "done": Signal(1, name="done"),
            # cycles of the last exchange, valid from done on
            "cycles": Signal(32, name="cycles"),
            # error: start while a message was missing
            "error_missing": Signal(1, name="error_missing"),
            # error: a duplicate message for a destination was dropped
            "error_double": Signal(1, name="error_double"),
            # error: a message for a terminal that does not exist was dropped
            "error_unknown": Signal(1, name="error_unknown"),
            # error: tlast in the wrong place
            "error_length": Signal(1, name="error_length"),
            # error: two messages wanted one output of a switch
            "error_conflict": Signal(1, name="error_conflict"),
        }
        self.specials += Instance(
            "rls_n4_w12_axis_l1_b1_ports_axil_arstn",
            i_aclk=ClockSignal(),
            i_aresetn=~ResetSignal(),
            i_s00_axis_tdata=self.sinks[0].data,
            i_s00_axis_tdest=self.sinks[0].dest,
            i_s00_axis_tlast=self.sinks[0].last,
            i_s00_axis_tvalid=self.sinks[0].valid,
            o_s00_axis_tready=self.sinks[0].ready,
            i_s01_axis_tdata=self.sinks[1].data,
            i_s01_axis_tdest=self.sinks[1].dest,
            i_s01_axis_tlast=self.sinks[1].last,
            i_s01_axis_tvalid=self.sinks[1].valid,
            o_s01_axis_tready=self.sinks[1].ready,
            i_s02_axis_tdata=self.sinks[2].data,
            i_s02_axis_tdest=self.sinks[2].dest,
            i_s02_axis_tlast=self.sinks[2].last,
            i_s02_axis_tvalid=self.sinks[2].valid,
            o_s02_axis_tready=self.sinks[2].ready,
            i_s03_axis_tdata=self.sinks[3].data,
            i_s03_axis_tdest=self.sinks[3].dest,
            i_s03_axis_tlast=self.sinks[3].last,
            i_s03_axis_tvalid=self.sinks[3].valid,
            o_s03_axis_tready=self.sinks[3].ready,
            o_m00_axis_tdata=self.sources[0].data,
            o_m00_axis_tid=self.sources[0].id,
            o_m00_axis_tlast=self.sources[0].last,
            o_m00_axis_tvalid=self.sources[0].valid,
            i_m00_axis_tready=self.sources[0].ready,
            o_m01_axis_tdata=self.sources[1].data,
            o_m01_axis_tid=self.sources[1].id,
            o_m01_axis_tlast=self.sources[1].last,
            o_m01_axis_tvalid=self.sources[1].valid,
            i_m01_axis_tready=self.sources[1].ready,
            o_m02_axis_tdata=self.sources[2].data,
            o_m02_axis_tid=self.sources[2].id,
            o_m02_axis_tlast=self.sources[2].last,
            o_m02_axis_tvalid=self.sources[2].valid,
            i_m02_axis_tready=self.sources[2].ready,
            o_m03_axis_tdata=self.sources[3].data,
            o_m03_axis_tid=self.sources[3].id,
            o_m03_axis_tlast=self.sources[3].last,
            o_m03_axis_tvalid=self.sources[3].valid,
            i_m03_axis_tready=self.sources[3].ready,
            i_s_axil_awaddr=self.bus.aw.addr[:8],
            i_s_axil_awprot=self.bus.aw.prot,
            i_s_axil_awvalid=self.bus.aw.valid,
            o_s_axil_awready=self.bus.aw.ready,
            i_s_axil_wdata=self.bus.w.data,
            i_s_axil_wstrb=self.bus.w.strb,
            i_s_axil_wvalid=self.bus.w.valid,
            o_s_axil_wready=self.bus.w.ready,
            o_s_axil_bresp=self.bus.b.resp,
            o_s_axil_bvalid=self.bus.b.valid,
            i_s_axil_bready=self.bus.b.ready,
            i_s_axil_araddr=self.bus.ar.addr[:8],
            i_s_axil_arprot=self.bus.ar.prot,
            i_s_axil_arvalid=self.bus.ar.valid,
            o_s_axil_arready=self.bus.ar.ready,
            o_s_axil_rdata=self.bus.r.data,
            o_s_axil_rresp=self.bus.r.resp,
            o_s_axil_rvalid=self.bus.r.valid,
            i_s_axil_rready=self.bus.r.ready,
            o_irq=ports["irq"],
            i_start=ports["start"],
            o_ready=ports["ready"],
            o_busy=ports["busy"],
            o_done=ports["done"],
            o_cycles=ports["cycles"],
            o_error_missing=ports["error_missing"],
            o_error_double=ports["error_double"],
            o_error_unknown=ports["error_unknown"],
            o_error_length=ports["error_length"],
            o_error_conflict=ports["error_conflict"],
        )
        if with_csr:
            self.add_csrs()

    def add_csrs(self):
        """A CSR for each port of one lane."""
        ports = self.ports
        self.irq = CSRStatus(1, description="interrupt, as enabled in the registers")
        self.comb += self.irq.status.eq(ports["irq"])
        self.start = CSRStorage(1, description="starts an exchange if ready is high")
        self.comb += ports["start"].eq(self.start.re & self.start.storage)
        self.ready = CSRStatus(1, description="an exchange can start: all messages are loaded and the outputs have room")
        self.comb += self.ready.status.eq(ports["ready"])
        self.busy = CSRStatus(1, description="an exchange runs")
        self.comb += self.busy.status.eq(ports["busy"])
        self.done = CSRStatus(1, description="high for one cycle after the end of an exchange")
        self.comb += self.done.status.eq(ports["done"])
        self.cycles = CSRStatus(32, description="cycles of the last exchange, valid from done on")
        self.comb += self.cycles.status.eq(ports["cycles"])
        self.error_missing = CSRStatus(1, description="error: start while a message was missing")
        self.comb += self.error_missing.status.eq(ports["error_missing"])
        self.error_double = CSRStatus(1, description="error: a duplicate message for a destination was dropped")
        self.comb += self.error_double.status.eq(ports["error_double"])
        self.error_unknown = CSRStatus(1, description="error: a message for a terminal that does not exist was dropped")
        self.comb += self.error_unknown.status.eq(ports["error_unknown"])
        self.error_length = CSRStatus(1, description="error: tlast in the wrong place")
        self.comb += self.error_length.status.eq(ports["error_length"])
        self.error_conflict = CSRStatus(1, description="error: two messages wanted one output of a switch")
        self.comb += self.error_conflict.status.eq(ports["error_conflict"])

    @staticmethod
    def add_sources(platform):
        """Adds the Verilog to a platform."""
        folder = os.path.dirname(os.path.abspath(__file__))
        for source in SOURCES:
            platform.add_source(os.path.join(folder, source))
