PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= report
# --no-compile: of most packages little is ever imported, and that is compiled then; it halves the time of an installation
# What was compiled must then be kept: without bytecode SciPy, JAX and Matplotlib take a second longer in every process
unexport PYTHONDONTWRITEBYTECODE

.PHONY: trust coverage mutants lock demo test test-torch lint style docs bench wheel clean

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

lint: style
	$(BIN)/mypy

style: $(VENV)/.test
	$(BIN)/ruff check src tests examples
	$(BIN)/ruff format --check src tests examples

# types are checked while the tests run: mypy has one core, and tests often wait
test: style  ## style, types and all tests
	@$(BIN)/mypy > $(VENV)/types.txt 2>&1 & types=$$!; \
	$(BIN)/python -m pytest; tests=$$?; \
	wait $$types; types=$$?; cat $(VENV)/types.txt; exit $$((tests + types))

test-torch: $(VENV)/.test  ## the bridge to PyTorch, which is half a gigabyte and in no other target
	$(BIN)/python -m pip install -q --no-compile torch==2.13.0
	$(BIN)/python -m pytest tests/evaluate/test_torch.py tests/evaluate/test_torch_inputs.py tests/evaluate/test_bridge_inputs.py

# the long forms: 10,000 property examples, a million fuzzed inputs, the faults; under an hour on two cores
TRUST := tests/test_hostile.py tests/test_files.py tests/test_security.py tests/simulate tests/sweep tests/runtime tests/describe tests/algorithms tests/cli tests/view tests/program tests/evaluate/test_jax.py tests/test_formulas.py tests/papers/test_errata.py tests/emit/test_sanitizers.py tests/emit/test_other_systems.py $(wildcard tests/test_agreement*.py) tests/test_wheel.py tests/test_notebooks.py
trust: $(VENV)/.test  ## everything that is promised, tried long, and the table of figures
	ORDERN_TRUST=1 $(BIN)/python -m pytest --junitxml=$(VENV)/trust.xml $(TRUST)
	$(BIN)/python docs/trust.py --count 1000 --results $(VENV)/trust.xml --run "once missed"

# two tests that the measurement itself disturbs: it takes a lock that an interrupt leaves taken, and writes to a full disk
coverage: $(VENV)/.test  ## lines of src that the tests run; below 95 % is an error
	$(BIN)/python -m pytest --deselect tests/runtime/test_faults.py::test_ctrl_c_at_random_moments \
	  --deselect tests/sweep/test_sabotage.py::test_a_full_disk_leaves_a_sweep_that_goes_on --cov=src/ordern --cov-report=term:skip-covered --cov-report=json:$(VENV)/coverage.json --cov-fail-under=95

mutants: $(VENV)/.test  ## faults put into the source one at a time: how many the tests notice, by room
	$(BIN)/python tests/mutants.py --count 12 --minutes 25

lock: $(VENV)/.test  ## what the tests ran with, by hash
	$(BIN)/python tests/lock.py requirements.lock

bench: $(VENV)/.test  ## against the peers that are installed, in one run
	$(BIN)/python -m pip install -q --no-compile -e ".[bench]"
	-$(BIN)/python -m pip install -q --no-compile --no-deps urdf2casadi urdf_parser_py
	$(BIN)/ordern bench --out docs/bench

wheel: $(BIN)/ordern  ## dist/ordern-*.whl, which pip installs anywhere
	$(BIN)/python -m pip install -q --no-compile build hatchling
	$(BIN)/python -m build --wheel --no-isolation --outdir dist .

docs: $(BIN)/ordern
	$(BIN)/python -m pip install -q --no-compile -e ".[all,docs]"
	$(BIN)/python -m sphinx -q -W -b html docs docs/_build/html

clean:
	rm -rf $(VENV) $(OUT) dist docs/_build .pytest_cache .mypy_cache .ruff_cache
