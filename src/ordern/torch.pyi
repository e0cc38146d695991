from collections.abc import Callable
from typing import Any

from .evaluate.torch_functions import function as function

def __getattr__(quantity: str) -> Callable[..., Any]: ...
