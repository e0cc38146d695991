"""Scalars: the primitives every algorithm is written in, and numbers that carry derivatives."""
