from .robot.builtin_robots import *
