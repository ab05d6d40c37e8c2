"""The AXI streams of a design, driven with cocotbext-axi: what every terminal receives is the transpose of what was sent.

run.py starts it; the sizes and the cycles of an exchange come from `frit` (environment variables FRIT_*).
"""

import json
import logging
import os
import random
import warnings

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

TERMINALS = int(os.environ["FRIT_TERMINALS"])
BITS = int(os.environ["FRIT_DATA_BITS"])       # of a word
BYTES = (BITS + 7) // 8                    # of tdata
USER_BITS = int(os.environ["FRIT_USER_BITS"])  # of tuser; 0: there is none
KEEP = os.environ["FRIT_KEEP"] == "1"      # there is tkeep: the last word of a message need not be full
RESET = os.environ["FRIT_RESET"]           # aresetn or areset
REGISTERS = json.loads(os.environ["FRIT_REGISTERS"])  # address and value of each; None without --axil
WORDS = int(os.environ["FRIT_WORDS"])      # words of a message
CYCLES = int(os.environ["FRIT_CYCLES"])    # cycles_o of an exchange
SEED = int(os.environ["FRIT_SEED"])

# cocotbext-axi 0.1.28 calls some things by the names that cocotb 1 had.
warnings.filterwarnings("ignore", category=DeprecationWarning, module="cocotbext")

PERIOD_NS = 10
# Long enough for every word to wait many times its turn.
TIMEOUT_NS = PERIOD_NS * (1000 + 50 * TERMINALS * TERMINALS * WORDS)


class Registers:
    """The registers by their names."""

    def __init__(self, dut, stalls):
        logging.getLogger(f"cocotb.{dut._name}.s_axil").setLevel(logging.WARNING)
        bus = AxiLiteBus.from_prefix(dut, "s_axil")
        self.master = AxiLiteMaster(bus, dut.aclk, getattr(dut, RESET), reset_active_level=RESET == "areset")
        if stalls > 0:
            write, read = self.master.write_if, self.master.read_if
            for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel):
                channel.set_pause_generator(Streams.pauses(stalls, f"{SEED} {channel.log.name}"))

    async def read(self, name):
        answer = await self.master.read(REGISTERS[name]["address"], 4)
        assert answer.resp == AxiResp.OKAY
        return int.from_bytes(answer.data, "little")

    async def write(self, name, value):
        answer = await self.master.write(REGISTERS[name]["address"], value.to_bytes(4, "little"))
        assert answer.resp == AxiResp.OKAY

    async def expect(self, **values):
        for name, value in values.items():
            got = await self.read(name)
            assert got == value, f"{name} reads {got:#x}, not {value:#x}"


class Streams:
    """The design with a source and a sink at every terminal."""

    def __init__(self, dut, stalls):
        """`stalls`: the share of the cycles in which a source or a sink pauses."""
        self.dut = dut
        self.random = random.Random(SEED)
        self.sources = [self.end(AxiStreamSource, f"s{lane:02}_axis", stalls) for lane in range(TERMINALS)]
        self.sinks = [self.end(AxiStreamSink, f"m{lane:02}_axis", stalls) for lane in range(TERMINALS)]

        self.registers = Registers(dut, stalls) if REGISTERS else None

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


async def by_registers(dut, stalls):
    """An exchange that is started by a register and ends with an interrupt, one that starts by itself, an error and its end."""
    streams = Streams(dut, stalls)
    registers = streams.registers
    await streams.reset()
    await registers.expect(**{name: told["value"] for name, told in REGISTERS.items() if told["value"] is not None})
    await registers.write("IRQ_ENABLE", 3)
    for done, control in enumerate((1, 2), start=1):
        messages = streams.messages()
        await streams.send(messages)
        if control == 1:
            while await registers.read("STATUS") & 1 == 0:
                pass
        await registers.write("CONTROL", control)
        while dut.irq.value == 0:
            await RisingEdge(dut.aclk)
        assert await streams.receive() == [list(column) for column in zip(*messages)]
        await registers.expect(IRQ_STATUS=1, ERRORS=0, CYCLES=CYCLES, EXCHANGES=done)
        await registers.write("IRQ_STATUS", 1)
        await registers.expect(IRQ_STATUS=0)
        assert dut.irq.value == 0
    await registers.write("CONTROL", 0)
    for _ in range(2):
        await streams.sources[0].send(AxiStreamFrame(bytes(WORDS * BYTES), tdest=TERMINALS - 1))
    while dut.irq.value == 0:
        await RisingEdge(dut.aclk)
    await registers.expect(IRQ_STATUS=2, ERRORS=2)
    # Only a 1 ends an error, and only with its strobe.
    await registers.write("ERRORS", 0x1D)
    await registers.master.write(REGISTERS["ERRORS"]["address"] + 1, b"\xff\xff\xff")
    await registers.expect(ERRORS=2)
    await registers.write("ERRORS", 2)
    await registers.expect(ERRORS=0, IRQ_STATUS=0)
    assert dut.irq.value == 0 and streams.flags() == []
    for answer in (await registers.master.read(0x40, 4), await registers.master.write(0x40, bytes(4))):
        assert answer.resp == AxiResp.SLVERR


if REGISTERS:

    @cocotb.test()
    async def exchanges_by_registers(dut):
        await with_timeout(by_registers(dut, 0.0), 4 * TIMEOUT_NS, "ns")

    @cocotb.test()
    async def exchanges_by_registers_with_stalls(dut):
        await with_timeout(by_registers(dut, 0.6), 16 * TIMEOUT_NS, "ns")
