# Run `make` for the list of targets. Each one makes the virtual environment that it needs.
# ARGS passes Hydra overrides: make train ARGS="seed=3 train.decisions=500_000"

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.NOTPARALLEL:

ARGS ?=
RUN ?=
JOBS ?= 2

VENV := .venv
READY := $(VENV)/.installed
PY := $(VENV)/bin/python
EXTRAS := train,arena,sweep,data,minari,log,dev,notebooks
PIP_INSTALL := pip install -qq --disable-pip-version-check -c constraints.txt
PYTEST := $(PY) -m pytest
PARALLEL := -n $(JOBS) --dist worksteal
CORE_TESTS := tests/rulebook tests/parity tests/properties tests/referee tests/traces \
	tests/determinism/test_trails.py
FLOOR := tests/rulebook/coverage.toml
OTHER_PYTHONS := 3.12 3.13
BUILD := build

# An interpreter of version $(1): on the path or among pyenv's, nothing when neither has it.
PYENV = $(wildcard $(shell pyenv root 2>/dev/null)/versions/$(1).*/bin/python)
find_python = $(firstword $(foreach candidate,python$(1) $(PYENV),\
	$(shell $(candidate) -c 'import sys; print(sys.executable)' 2>/dev/null)))
RECENT = $(shell python3 -c 'import sys; sys.version_info >= (3, 11) and print(sys.executable)' 2>/dev/null)
BASE_PYTHON = $(or $(call find_python,3.11),$(RECENT))

# Idle OpenMP threads must not spin: they starve whatever runs beside them.
export OMP_WAIT_POLICY := PASSIVE

.PHONY: help install train evaluate arena leaderboard play-stats exploit best-response sweep record runs curves bench bench-peers fuzz docs \
	test lint types test-compiled test-plain check \
	check-slow check-coverage check-bounds notebooks wheel check-wheel check-pythons coverage clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(READY) ## make .venv with everything in it

# The mark is made last, so an installation that failed half-way is taken up again.
$(READY): pyproject.toml constraints.txt
	@rm -f $@
	@$(PY) -m pip --version >/dev/null 2>&1 || { \
		base='$(BASE_PYTHON)'; \
		[ -n "$$base" ] || { echo "skirmish-env needs Python 3.11 or newer: neither python3.11 nor python3 is one" >&2; exit 1; }; \
		echo "Making $(VENV) with $$base"; \
		"$$base" -m venv --clear $(VENV); \
	}
	@echo "Installing into $(VENV); the first time takes a few minutes"
	@$(PY) -m $(PIP_INSTALL) -e '.[$(EXTRAS)]'
	@touch $@

# ---- experiments

train: $(READY) ## train an agent (ARGS="...")
	$(PY) -m experiments.train $(ARGS)

.PHONY: curves
curves: $(READY) ## train three seeds and draw learning curves with intervals (ARGS="...")
	$(PY) -m experiments.replicate $(ARGS)

# What made the weights in agents/weights. To try it out: ARGS="train.decisions=100_000".
PPO_V1 := agent=large train=ppo_v1 train.minutes=null

.PHONY: ppo-v1
ppo-v1: $(READY) ## train the shipped agent again, then say whether the weights are equal
	$(PY) -m experiments.train $(PPO_V1) name=ppo-v1 folder=$(BUILD)/ppo-v1 $(ARGS)
	$(PY) -m experiments.export run="$$(ls -d $(BUILD)/ppo-v1/*_ppo-v1* | tail -n 1)" name=ppo-v1 \
		folder=$(BUILD)/ppo-v1/weights overwrite=true

.PHONY: ablate
ablate: $(READY) ## train variants with three seeds each, write docs/ablations.md (ARGS="...")
	$(PY) -m experiments.ablate $(ARGS)

evaluate: $(READY) ## play a trained agent against others (RUN=folder, ARGS="...")
	@[ -n "$(RUN)" ] || { echo "make evaluate RUN=folder-of-a-run" >&2; exit 2; }
	$(PY) -m experiments.evaluate run=$(RUN) $(ARGS)

arena: $(READY) ## play agents against each other and rate them (ARGS="agents=[random,runs/...]")
	$(PY) -m experiments.arena $(ARGS)

exploit: $(READY) ## solve the small game and measure agents by it (ARGS="agents=[expert,runs/...]")
	$(PY) -m experiments.exploit $(ARGS)

best-response: $(READY) ## train an opponent for one agent (ARGS="against=runs/... train.minutes=30")
	$(PY) -m experiments.best_response $(ARGS)

leaderboard: $(READY) ## play all agents on deals-v1 and write docs/leaderboard.md (ARGS="resume=arenas/...")
	$(PY) -m experiments.leaderboard $(ARGS)

play-stats: $(READY) ## how agents play and win: docs/play.md from an arena (ARGS="arena=arenas/...")
	$(PY) -m experiments.play_stats $(ARGS)

sweep: $(READY) ## search for better settings, an example of minutes (ARGS="...")
	$(PY) -m experiments.sweep $(ARGS)

runs: $(READY) ## list the runs of a folder (ARGS="folder=runs format=csv")
	$(PY) -m experiments.runs $(ARGS)

bench: $(READY) ## measure speed, the peers' that are installed too (ARGS="write=docs")
	$(PY) -m experiments.bench $(ARGS)

bench-peers: $(READY) ## install what the benchmark compares with (ARGS="openspiel pgx")
	$(PY) -m experiments.peers $(ARGS)

fuzz: $(READY) ## check the rules on random games (ARGS="games=1_000_000")
	$(PY) -m experiments.fuzz $(ARGS)

record: $(READY) ## write games to Parquet for offline learning (ARGS="out=data/first games=1000")
	$(PY) -m experiments.record $(ARGS)

docs: $(READY) ## write the pages made from code, cards and tests
	$(PY) -m experiments.docs
	$(PY) -m tests.rulebook.page

# ---- the fast tier: on every change

# One thread a process: the tests themselves run side by side.
test check coverage test-% check-%: export OMP_NUM_THREADS := 1

test: lint types test-compiled test-plain ## lint, types and the fast tests

lint: $(READY) ## ruff
	$(PY) -m ruff check .

types: $(READY) ## mypy
	$(PY) -m mypy

test-compiled: $(READY)
	$(PY) -m skirmish_env.warm
	$(PYTEST) $(PARALLEL) -m "not slow"

test-plain: $(READY)
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(PARALLEL) -m "not slow" $(CORE_TESTS)

# ---- the slow tier: before a release

check: check-slow check-coverage check-bounds notebooks check-wheel check-pythons ## everything slow, each part a target of its own

check-slow: $(READY) ## the slow tests, learning included
	$(PYTEST) $(PARALLEL) -m slow

# In one process, so that the test that counts what the scenarios carry out sees all of them.
check-coverage: $(READY) ## every line of the rules by the scenarios alone
	@mkdir -p $(BUILD)
	NUMBA_DISABLE_JIT=1 $(PY) -m coverage run --rcfile=$(FLOOR) -m pytest tests/rulebook
	$(PY) -m coverage report --rcfile=$(FLOOR)

# Learning and the slow tests are left out: they would do the same again, only slower.
check-bounds: $(READY) ## the tests with bounds checks in compiled code
	NUMBA_BOUNDSCHECK=1 $(PYTEST) $(PARALLEL) -m "not learning and not slow"

notebooks: $(READY) ## execute every notebook
	@shopt -s nullglob; books=(notebooks/*.ipynb); \
	if [ $${#books[@]} -eq 0 ]; then echo "No notebooks to execute"; exit 0; fi; \
	$(VENV)/bin/jupyter-execute --timeout=600 "$${books[@]}"

# The wheel is built from the source archive, so that one is complete too.
wheel: $(READY)
	@rm -rf $(BUILD)/wheel
	$(PY) -m build --outdir $(BUILD)/wheel . >/dev/null

# $(1): an interpreter, $(2): a name for the environment, which gets the wheel and nothing else.
# The script runs isolated and elsewhere, so it can only see what the wheel brought.
define try_wheel
rm -rf $(BUILD)/$(2)
"$(1)" -m venv $(BUILD)/$(2)
$(BUILD)/$(2)/bin/python -m $(PIP_INSTALL) $(BUILD)/wheel/*.whl
cd $(BUILD)/$(2) && bin/python -I -W error ../../tests/smoke_wheel.py
endef

check-wheel: wheel ## the wheel's and the archive's files; the wheel alone, in a clean environment
	$(PY) -m tests.built_files $(BUILD)/wheel
	$(call try_wheel,$(PY),clean)
	$(BUILD)/clean/bin/python -m $(PIP_INSTALL) "$$(ls $(BUILD)/wheel/*.whl)[play]"
	cd $(BUILD)/clean && bin/python -I -W error ../../tests/smoke_play.py

check-pythons: $(OTHER_PYTHONS:%=check-python-%) ## the wheel, its rules and stored games on other Pythons

check-python-%: wheel
	@python='$(call find_python,$*)'; \
	if [ -z "$$python" ]; then echo "Python $* is not on this machine: skipped"; exit 0; fi; \
	$(MAKE) --no-print-directory run-python-$* OTHER="$$python"

# The tests run from a copy without the packages beside them: they can only import the wheel's.
SAME_GAMES := tests/determinism/test_trails.py tests/determinism/test_deals.py
run-python-%:
	$(call try_wheel,$(OTHER),python$*)
	$(BUILD)/python$*/bin/python -m $(PIP_INSTALL) pytest hypothesis
	mkdir $(BUILD)/python$*/copy
	cp -r tests docs pyproject.toml $(BUILD)/python$*/copy
	cd $(BUILD)/python$*/copy && ../bin/python -m pytest -m "not slow" tests/rulebook $(SAME_GAMES)
	cd $(BUILD)/python$*/copy && NUMBA_DISABLE_JIT=1 ../bin/python -m pytest -m "not slow" $(SAME_GAMES)

# ---- the rest

coverage: $(READY) ## lines of the rules that the plain tests reach
	NUMBA_DISABLE_JIT=1 $(PY) -m coverage run -m pytest -m "not slow" $(CORE_TESTS)
	$(PY) -m coverage report

clean: ## remove what the targets made, .venv excepted
	rm -rf $(BUILD) dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
