"""Random SDF files of every version and joint kind against Drake's parser: mass matrix, forces, kinematics, limits."""

import numpy as np

import needs
from ordern.describe.load import load

from .random_sdf import Sdf

CLOSE = 1e-9  # of the largest entry; some thousand roundings of numbers of size 1 to 100 lie far below
GRAVITY = (1.0, 2.0, -9.0)


@needs.drake
def test_random_files(tmp_path, seeds=range(40)):
    from .drake_oracle import errors, plant_of

    agreed = 0
    for seed in seeds:
        rng, folder = np.random.default_rng(seed), tmp_path / str(seed)
        made = Sdf(rng)
        made.write(folder)
        floating = bool(rng.integers(2))
        try:
            plant, free = plant_of(folder / "robot.sdf", floating, GRAVITY)
        except RuntimeError as error:  # the dice may put frames around each other
            assert "cycle" in str(error), error
            continue
        if floating and free != 1:
            continue
        base = "floating" if floating else "fixed"
        model = load(folder / "robot.sdf", base=base, gravity=GRAVITY, mimic=False)
        found = errors(plant, model, rng)
        assert max(found.values()) < CLOSE, (seed, found, made.text, made.files)
        agreed += 1
    assert agreed > 0.7 * len(seeds)
