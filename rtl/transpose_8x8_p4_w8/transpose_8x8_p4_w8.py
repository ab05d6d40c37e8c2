# SPDX-License-Identifier: MIT OR Apache-2.0
# transpose_8x8_p4_w8_permute as a module of LiteX. Generated; do not edit. Generator (frit generate transpose -n 4 --rows 8 -w 8 --layout files)
import os

from migen import ClockSignal, Instance, ResetSignal, Signal

from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.csr import CSRStatus, CSRStorage

DESCRIPTION = "Corner turn: a matrix streams in row by row, N words a cycle, and leaves column by column: 64 words, 4 a cycle, 8 bits"

# The Verilog, relative to this file, in the order in which tools should read it.
SOURCES = [
    "../frit_cells/frit_beat_check.v",
    "../frit_cells/frit_beat_end.v",
    "../frit_cells/frit_beat_gate.v",
    "../frit_cells/frit_beat_queue.v",
    "../frit_cells/frit_beat_reader.v",
    "transpose_8x8_p4_w8_map_bank_read.v",
    "transpose_8x8_p4_w8_map_bank_write.v",
    "transpose_8x8_p4_w8_map_behind.v",
    "transpose_8x8_p4_w8_map_front.v",
    "../frit_cells/frit_queue_pointer.v",
    "../frit_cells/frit_round_delay.v",
    "../frit_cells/frit_step_register.v",
    "../frit_cells/frit_stride_counter.v",
    "../frit_cells/frit_turn_memory.v",
    "../frit_cells/frit_turn_switch.v",
    "../frit_cells/frit_turn_word.v",
    "transpose_8x8_p4_w8_permute.v",
]


class transpose_8x8_p4_w8_permute(LiteXModule):
    """The core in the clock domain "sys".

    sink: the endpoint of a stream.
    source: the endpoint of a stream.
    ports: a Signal for each other port, by the port's name in the Verilog.
    platform: the Verilog is added to it, if it is given.
    with_csr: whether CSRs show and drive those of `ports` that have one lane. Your logic drives the other inputs.
    """

    def __init__(self, platform=None, with_csr=True):
        if platform is not None:
            self.add_sources(platform)

        self.sink = stream.Endpoint([("data", 32)])
        self.source = stream.Endpoint([("data", 32)])
        self.ports = ports = {
            # error: tlast of the input came early or late; stays until reset
            "error_o": Signal(1, name="error_o"),
        }
        self.specials += Instance(
            "transpose_8x8_p4_w8_permute",
            i_clk_i=ClockSignal(),
            i_rst_i=ResetSignal(),
            i_s_axis_tvalid_i=self.sink.valid,
            o_s_axis_tready_o=self.sink.ready,
            i_s_axis_tdata_i=self.sink.data,
            i_s_axis_tlast_i=self.sink.last,
            o_m_axis_tvalid_o=self.source.valid,
            i_m_axis_tready_i=self.source.ready,
            o_m_axis_tdata_o=self.source.data,
            o_m_axis_tlast_o=self.source.last,
            o_error_o=ports["error_o"],
        )
        if with_csr:
            self.add_csrs()

    def add_csrs(self):
        """A CSR for each port of one lane."""
        ports = self.ports
        self.error = CSRStatus(1, description="error: tlast of the input came early or late; stays until reset")
        self.comb += self.error.status.eq(ports["error_o"])

    @staticmethod
    def add_sources(platform):
        """Adds the Verilog to a platform."""
        folder = os.path.dirname(os.path.abspath(__file__))
        for source in SOURCES:
            platform.add_source(os.path.join(folder, source))
