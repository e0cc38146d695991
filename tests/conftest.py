import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# PyTorch is half a gigabyte and in no extra that these tests ask for; `make test-torch` installs it and runs its tests
collect_ignore = [] if importlib.util.find_spec("torch") else ["evaluate/test_torch.py"]
