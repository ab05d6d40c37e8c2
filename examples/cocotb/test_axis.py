"""The AXI streams of a design, driven with cocotbext-axi: what every terminal receives is the transpose of what was sent.

run.py starts it; the sizes and the cycles of an exchange come from `frit` (environment variables FRIT_*).
"""

import logging
import os
import random
import warnings

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, with_timeout
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

TERMINALS = int(os.environ["FRIT_TERMINALS"])
BITS = int(os.environ["FRIT_DATA_BITS"])       # of a word
BYTES = (BITS + 7) // 8                    # of tdata
USER_BITS = int(os.environ["FRIT_USER_BITS"])  # of tuser; 0: there is none
KEEP = os.environ["FRIT_KEEP"] == "1"      # there is tkeep: the last word of a message need not be full
RESET = os.environ["FRIT_RESET"]           # aresetn or areset
WORDS = int(os.environ["FRIT_WORDS"])      # words of a message
CYCLES = int(os.environ["FRIT_CYCLES"])    # cycles_o of an exchange
SEED = int(os.environ["FRIT_SEED"])

# cocotbext-axi 0.1.28 calls some things by the names that cocotb 1 had.
warnings.filterwarnings("ignore", category=DeprecationWarning, module="cocotbext")

PERIOD_NS = 10
# Long enough for every word to wait many times its turn.
TIMEOUT_NS = PERIOD_NS * (1000 + 50 * TERMINALS * TERMINALS * WORDS)


class Streams:
    """The design with a source and a sink at every terminal."""

    def __init__(self, dut, stalls):
        """`stalls`: the share of the cycles in which a source or a sink pauses."""
        self.dut = dut
        self.random = random.Random(SEED)
        self.sources = [self.end(AxiStreamSource, f"s{lane:02}_axis", stalls) for lane in range(TERMINALS)]
        self.sinks = [self.end(AxiStreamSink, f"m{lane:02}_axis", stalls) for lane in range(TERMINALS)]

    def end(self, model, prefix, stalls):
        """The source or sink of a terminal."""
        logging.getLogger(f"cocotb.{self.dut._name}.{prefix}").setLevel(logging.WARNING)
        bus = AxiStreamBus.from_prefix(self.dut, prefix)
        end = model(bus, self.dut.aclk, getattr(self.dut, RESET), reset_active_level=RESET == "areset")
        if stalls > 0:
            end.set_pause_generator(self.pauses(stalls, f"{SEED} {prefix}"))
        return end

    @staticmethod
    def pauses(share, seed):
        generator = random.Random(seed)
        while True:
            yield generator.random() < share

    async def reset(self):
        self.dut.start.value = 0
        reset, level = getattr(self.dut, RESET), int(RESET == "areset")
        reset.value = level
        cocotb.start_soon(Clock(self.dut.aclk, PERIOD_NS, "ns").start())
        # As many cycles as the fabric takes to fill with zeros, and more.
        for _ in range(CYCLES + 8):
            await RisingEdge(self.dut.aclk)
        reset.value = 1 - level
        # An asynchronous reset leaves the design some cycles later.
        for _ in range(8):
            await RisingEdge(self.dut.aclk)

    def message(self):
        """Random bytes and what tuser says of them; with tkeep the last word is not always full."""
        data = b"".join(self.random.getrandbits(BITS).to_bytes(BYTES, "little") for _ in range(WORDS))
        length = len(data) - (self.random.randrange(BYTES) if KEEP else 0)
        return data[:length], self.random.getrandbits(USER_BITS) if USER_BITS else 0

    def messages(self):
        """[source][destination] is a message."""
        return [[self.message() for _ in range(TERMINALS)] for _ in range(TERMINALS)]

    async def send(self, messages):
        """Each source sends one message to every terminal, in an order of its own."""
        for source, row in zip(self.sources, messages):
            for destination in self.random.sample(range(TERMINALS), TERMINALS):
                data, user = row[destination]
                await source.send(AxiStreamFrame(data, tdest=destination, tuser=user))

    async def high(self, signal):
        """Waits for a clock edge at which the signal is high."""
        while True:
            await RisingEdge(self.dut.aclk)
            if signal.value == 1:
                return

    async def exchange(self):
        """Starts when all messages are there, and returns the cycles that the exchange says it took."""
        await self.high(self.dut.ready)
        self.dut.start.value = 1
        await RisingEdge(self.dut.aclk)
        self.dut.start.value = 0
        await self.high(self.dut.done)
        return int(self.dut.cycles.value)

    async def receive(self):
        """What arrives, as [destination][source]; every source once."""
        received = []
        for sink in self.sinks:
            row = {}
            for _ in range(TERMINALS):
                frame = await sink.recv()
                assert isinstance(frame.tid, int), f"one message of several sources: {frame}"
                assert frame.tid not in row, f"two messages of source {frame.tid}: {frame}"
                user = frame.tuser if USER_BITS else 0
                row[frame.tid] = bytes(frame.tdata), user
            received.append([row[source] for source in range(TERMINALS)])
        return received

    def flags(self):
        """The error flags that are up."""
        names = [f"error_{name}" for name in ("missing", "double", "unknown", "length", "conflict")]
        return [name for name in names if getattr(self.dut, name).value != 0]


async def transposes(dut, stalls):
    """Two exchanges, one after the other."""
    streams = Streams(dut, stalls)
    await streams.reset()
    for _ in range(2):
        messages = streams.messages()
        await streams.send(messages)
        cycles = await streams.exchange()
        received = await streams.receive()
        assert received == [list(column) for column in zip(*messages)]
        assert cycles == CYCLES, f"an exchange took {cycles} cycles, expected {CYCLES}"
        assert streams.flags() == []
    assert all(sink.empty() for sink in streams.sinks), "more arrived than was sent"


@cocotb.test()
async def exchange_at_full_speed(dut):
    await with_timeout(transposes(dut, 0.0), TIMEOUT_NS, "ns")


@cocotb.test()
async def exchange_with_stalls_on_both_sides(dut):
    await with_timeout(transposes(dut, 0.6), TIMEOUT_NS, "ns")


@cocotb.test()
async def a_second_message_for_one_destination_is_reported(dut):
    streams = Streams(dut, 0.0)
    await streams.reset()
    for _ in range(2):
        await streams.sources[0].send(AxiStreamFrame(bytes(WORDS * BYTES), tdest=TERMINALS - 1))
    await with_timeout(streams.high(dut.error_double), TIMEOUT_NS, "ns")


@cocotb.test()
async def a_start_without_all_messages_is_reported(dut):
    streams = Streams(dut, 0.0)
    await streams.reset()
    dut.start.value = 1
    await RisingEdge(dut.aclk)
    dut.start.value = 0
    await with_timeout(streams.high(dut.error_missing), TIMEOUT_NS, "ns")
    assert dut.busy.value == 0
