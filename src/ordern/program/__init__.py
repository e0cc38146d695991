"""A traced algorithm as statements and loops: what counts, formulas, machine code and C are made from."""
