# SPDX-License-Identifier: MIT OR Apache-2.0
# gsen_ata2_n6_w8_exchange as a module of LiteX. Generated; do not edit. Generator (frit generate gsen -n 6 --set algorithm=ata2 -w 8 --layout files)
import os

from migen import ClockSignal, Instance, ResetSignal, Signal

from litex.gen import LiteXModule
from litex.soc.interconnect.csr import CSRStatus, CSRStorage

DESCRIPTION = "Stage control on the general shuffle-exchange network, any even number of terminals: 6 terminals, 8 bits"

# The Verilog, relative to this file, in the order in which tools should read it.
SOURCES = [
    "../frit_cells/frit_alternating_driver.v",
    "../frit_cells/frit_ata2_word.v",
    "../frit_cells/frit_cycle_counter.v",
    "../frit_cells/frit_delay_line.v",
    "../frit_cells/frit_flight.v",
    "../frit_cells/frit_round_counter.v",
    "../frit_cells/frit_sequencer.v",
    "gsen_ata2_n6_w8_shuffle_terminal_3.v",
    "../frit_cells/frit_switch.v",
    "gsen_ata2_n6_w8_fabric.v",
    "gsen_ata2_n6_w8_exchange.v",
]


class gsen_ata2_n6_w8_exchange(LiteXModule):
    """The core in the clock domain "sys".

    ports: a Signal for each other port, by the port's name in the Verilog.
    platform: the Verilog is added to it, if it is given.
    with_csr: whether CSRs show and drive those of `ports` that have one lane. Your logic drives the other inputs.
    """

    def __init__(self, platform=None, with_csr=True):
        if platform is not None:
            self.add_sources(platform)

        self.ports = ports = {
            # starts an exchange if ready_o is high; the next cycle is cycle 0
            "start_i": Signal(1, name="start_i"),
            # a start can be taken: the last round of the exchange before has entered
            "ready_o": Signal(1, name="ready_o"),
            # the lane takes a word in this cycle
            "send_valid_o": Signal(6, name="send_valid_o"),
            # destination of the word
            "send_dest_o": Signal(18, name="send_dest_o"),
            # word for send_dest_o, taken in the same cycle
            "send_data_i": Signal(48, name="send_data_i"),
            # recv_data_o holds a word
            "recv_valid_o": Signal(6, name="recv_valid_o"),
            # source of the word that arrives
            "recv_source_o": Signal(18, name="recv_source_o"),
            # word that arrives
            "recv_data_o": Signal(48, name="recv_data_o"),
            # high in every cycle of an exchange
            "busy_o": Signal(1, name="busy_o"),
            # high in the last cycle of each exchange, the cycle of its last delivery
            "done_o": Signal(1, name="done_o"),
            # two messages of the round that arrives wanted the same output of a switch
            "conflict_o": Signal(1, name="conflict_o"),
            # cycle of the youngest exchange, 0 while busy_o is low
            "cycles_o": Signal(32, name="cycles_o"),
        }
        self.specials += Instance(
            "gsen_ata2_n6_w8_exchange",
            i_clk_i=ClockSignal(),
            i_rst_i=ResetSignal(),
            i_start_i=ports["start_i"],
            o_ready_o=ports["ready_o"],
            o_send_valid_o=ports["send_valid_o"],
            o_send_dest_o=ports["send_dest_o"],
            i_send_data_i=ports["send_data_i"],
            o_recv_valid_o=ports["recv_valid_o"],
            o_recv_source_o=ports["recv_source_o"],
            o_recv_data_o=ports["recv_data_o"],
            o_busy_o=ports["busy_o"],
            o_done_o=ports["done_o"],
            o_conflict_o=ports["conflict_o"],
            o_cycles_o=ports["cycles_o"],
        )
        if with_csr:
            self.add_csrs()

    def add_csrs(self):
        """A CSR for each port of one lane."""
        ports = self.ports
        self.start = CSRStorage(1, description="starts an exchange if ready_o is high; the next cycle is cycle 0")
        self.comb += ports["start_i"].eq(self.start.re & self.start.storage)
        self.ready = CSRStatus(1, description="a start can be taken: the last round of the exchange before has entered")
        self.comb += self.ready.status.eq(ports["ready_o"])
        self.busy = CSRStatus(1, description="high in every cycle of an exchange")
        self.comb += self.busy.status.eq(ports["busy_o"])
        self.done = CSRStatus(1, description="high in the last cycle of each exchange, the cycle of its last delivery")
        self.comb += self.done.status.eq(ports["done_o"])
        self.conflict = CSRStatus(1, description="two messages of the round that arrives wanted the same output of a switch")
        self.comb += self.conflict.status.eq(ports["conflict_o"])
        self.cycles = CSRStatus(32, description="cycle of the youngest exchange, 0 while busy_o is low")
        self.comb += self.cycles.status.eq(ports["cycles_o"])

    @staticmethod
    def add_sources(platform):
        """Adds the Verilog to a platform."""
        folder = os.path.dirname(os.path.abspath(__file__))
        for source in SOURCES:
            platform.add_source(os.path.join(folder, source))
