"""Checks of a robot: methods against each other, conversions, operation counts."""
