"""Simulation: laws, trajectories, integrators, runs; inverse kinematics."""
