"""MJCF, the format of MuJoCo: read and written."""
