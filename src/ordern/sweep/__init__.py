"""Studies and sweeps: thousands of runs, resumable."""
