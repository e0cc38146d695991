"""Algorithms, one file each, written once over any scalar; ``@algorithm`` registers them."""
