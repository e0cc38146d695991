"""Denavit-Hartenberg tables in and out."""
