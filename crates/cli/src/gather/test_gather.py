"""A core driven by the agents of fritillary.cocotb. As a program: test_gather.py FOLDER TOP; exit code 0 if all pass."""

import sys
from pathlib import Path

import cocotb
from _agents import Bench, Marks, Pace, Sink, Source

WORDS = 16


@cocotb.test()
@cocotb.parametrize(pauses=[False, True])
async def a_word_of_each_in_turn(dut, pauses):
    offering, taking = (60, 90) if pauses else (256, 256)
    lanes = len(dut.s_axis_tvalid_i)
    bench = Bench(dut)
    source, sink = Source(bench, lanes=lanes, pace=Pace(offering)), Sink(bench, pace=Pace(taking, byte=1))
    marks = Marks(bench, ["round_o"])
    words = [[(lane * WORDS + k, int(k % 3 == 0)) for k in range(WORDS)] for lane in range(lanes)]
    for _ in range(2):
        await bench.reset()
        # The first input has the first turn: the others wait for it.
        for lane in range(1, lanes):
            source.send(words[lane], lane)
        await bench.step(40)
        assert not any(source.taken) and not sink.words[0], "a word is taken out of turn"
        source.send(words[0])
        while sink.quiet < 400:
            await bench.step()
        assert sink.words[0] == [word for turn in zip(*words) for word in turn]
        assert [cycle for cycle, _ in marks.log] == source.taken[-1] and source.left == 0


if __name__ == "__main__":
    from streaming import simulate

    folder, top = Path(sys.argv[1]), sys.argv[2]
    listed = (folder / f"{top}.f").read_text().splitlines()
    sources = [folder / file for file in listed if not file.startswith("//")]
    tests, failed = simulate("icarus", sources, top, Path(__file__), folder, {})
    print(f"{top}: {tests - failed} of {tests} tests passed")
    sys.exit(1 if failed or not tests else 0)
