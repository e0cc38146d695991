"""Robot descriptions (URDF, DH tables, TOML, Python calls, built-in robots) in, a checked Model out, and back."""
