from collections.abc import Callable
from typing import Any

from .evaluate.jax_functions import function as function

def __getattr__(quantity: str) -> Callable[..., Any]: ...
