"""Demands that are loaded one after the other, checked against the model. run.py starts it."""

import cocotb
import numpy as np
from fritillary.cocotb import Loaded


@cocotb.test()
async def exchanges_are_those_of_the_model(dut):
    loaded = Loaded(dut)
    random = np.random.default_rng(1)
    demands = [random.integers(0, 4, (loaded.n, loaded.n)) for _ in range(3)]
    await loaded.check(demands)
    await loaded.check(demands, pauses=True)
