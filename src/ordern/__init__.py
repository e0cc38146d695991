"""Dynamics of robots in O(n)."""
