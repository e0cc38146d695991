"""Evaluators: one algorithm text as numbers, formulas, counts and machine code."""
