"""ReDySim: tables in MATLAB files, read as data; nothing in them is executed."""
