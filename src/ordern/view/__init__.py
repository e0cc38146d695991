"""The robot in a 3-D page."""
