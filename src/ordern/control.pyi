from .simulate.control import *
from .simulate.drives import Drives as Drives
from .simulate.law_memory import PID as PID
from .simulate.operational_space import OperationalSpace as OperationalSpace
