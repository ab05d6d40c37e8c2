"""Mutants of emitted designs: made, simulated, and compared with the design by proof (scripts/mutants)."""
