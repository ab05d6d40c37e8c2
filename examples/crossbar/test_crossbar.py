"""Sources that are connected one after the other, and words that pass. The tests of the package start it."""

import cocotb
import numpy as np
from fritillary.cocotb import Crossbar


@cocotb.test()
async def each_output_receives_the_words_of_its_source(dut):
    crossbar = Crossbar(dut)
    await crossbar.reset()
    random = np.random.default_rng(1)
    for pauses in (False, True):
        await crossbar.check(random.permutation(crossbar.n), pauses=pauses)
        await crossbar.check([None, *range(1, crossbar.n)], pauses=pauses)
