"""The words of an exchange, driven with the Python package and checked against the model. exchange.py starts it."""

import cocotb
from fritillary.cocotb import Exchange


@cocotb.test()
async def exchanges_are_those_of_the_model(dut):
    exchange = Exchange(dut)
    await exchange.reset()
    for seed in range(2):
        await exchange.check(exchange.random(seed))
