"""Tests of an emitted corner turn, run by ``fritillary.cocotb.run_tests("transpose", …)``."""

import cocotb
import numpy as np
from fritillary.cocotb import Permutation


@cocotb.test()
async def columns_leave_where_rows_entered(dut):
    turn = Permutation(dut)
    sets = np.arange(2 * turn.plan.words).reshape(2, -1) % 2**turn.width
    left = await turn.check(sets)
    assert (left == sets[:, turn.plan.sources()]).all()


@cocotb.test()
async def pauses_change_nothing(dut):
    await Permutation(dut).check(3, pauses=True)
