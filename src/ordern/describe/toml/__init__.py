"""ordern's own TOML format in and out."""
