"""Speed against the peers that are installed."""
