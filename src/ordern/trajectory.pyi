from .simulate.trajectory import *
