PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= report
# --no-compile: of most packages little is ever imported, and that is compiled then; it halves the time of an installation

.PHONY: demo test test-torch lint docs bench clean

$(BIN)/ordern: pyproject.toml
	$(PY) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q --no-compile -e ".[all]"
	@touch $(BIN)/ordern

$(VENV)/.test: $(BIN)/ordern
	$(BIN)/python -m pip install -q --no-compile -e ".[test]"
	@touch $@

demo: $(BIN)/ordern  ## every table and figure of the five papers, as one HTML report
	$(BIN)/ordern reproduce --out $(OUT)

lint: $(VENV)/.test
	$(BIN)/ruff check src tests examples
	$(BIN)/ruff format --check src tests examples
	$(BIN)/mypy

test: lint  ## style, types and all tests
	$(BIN)/python -m pytest

test-torch: $(VENV)/.test  ## the bridge to PyTorch, which is half a gigabyte and in no other target
	$(BIN)/python -m pip install -q --no-compile torch==2.13.0
	$(BIN)/python -m pytest tests/evaluate/test_torch.py

bench: $(VENV)/.test  ## against the peers that are installed, in one run
	$(BIN)/ordern bench --out docs/bench

docs: $(BIN)/ordern
	$(BIN)/python -m pip install -q --no-compile -e ".[all,docs]"
	$(BIN)/python -m sphinx -q -W -b html docs docs/_build/html

clean:
	rm -rf $(VENV) $(OUT) docs/_build .pytest_cache .mypy_cache .ruff_cache
