"""From a call to machine code: kernels in memory and on disk, threads, the entry from Python."""
