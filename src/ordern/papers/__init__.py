"""The five papers: their robots, tables and figures, regenerated and compared."""
