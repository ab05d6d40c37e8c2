"""How much longer a call takes than the model: python python/tests/overhead.py [N] [CALLS].

Each line has the dtype of the words (or none), the time of the model and of the call in milliseconds (medians), and the difference as a
share of the model's time.
"""

import statistics
import sys
import time

import fritillary
import numpy as np

n = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
calls = int(sys.argv[2]) if len(sys.argv) > 2 else 30
plan = fritillary.plan("rls", n)
for dtype in (None, "uint8", "uint32", "uint64", "complex128"):
    payload = None if dtype is None else np.arange(n * n).reshape(n, n).astype(dtype)
    found = []
    for _ in range(calls):
        begun = time.perf_counter()
        run = fritillary.simulate(plan, payload)
        whole = time.perf_counter() - begun
        found.append((run.seconds, whole, whole / run.seconds - 1))
    model, whole, share = (statistics.median(column) for column in zip(*found, strict=True))
    print(f"n {n}, words {dtype or 'none':10}  model {1000 * model:8.2f} ms, call {1000 * whole:8.2f} ms, overhead {share:6.1%}")
