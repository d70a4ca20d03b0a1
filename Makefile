# Everything a contributor or CI runs. Needs only Python 3.11+, make and git; the rest is installed
# into .venv from hash-pinned lists.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WHEELS := $(VENV)/wheels/.ready

.PHONY: help setup demo check format lint types test bench mutants dist lock clean

help:  ## Show the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

setup: $(READY)  ## Install the tool and its development tools into .venv

$(READY): requirements/dev.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "signoff-bot needs Python 3.11 or newer; run make PYTHON=python3.11")'
	test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/dev.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

demo: $(READY)  ## Judge a bundle shipped here: no network, no token
	@$(BIN)/signoff-bot verify --evidence examples/thread-1865-signoff.json; \
	status=$$?; test $$status -le 1 && echo && echo "exit status $$status: 0 compliant, 1 not compliant"

check: format lint types test  ## What must pass before a commit

format: $(READY)
	$(BIN)/ruff format --check .

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

# What action.yml installs, so that a test can install it without the network.
$(WHEELS): requirements/run.txt | $(READY)
	$(BIN)/python -m pip download --quiet --require-hashes --only-binary :all: --requirement $< --dest $(@D)
	touch $@

test: $(READY) $(WHEELS)  ## Run the tests
	$(BIN)/python -m pytest

bench: $(READY)  ## Measure against peers and against the plain way, in one run each
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/bench.txt
	$(BIN)/python benchmarks/codeowners/bench.py --quick
	$(BIN)/python benchmarks/verify/run.py
	$(BIN)/python benchmarks/judge/run.py
	$(BIN)/python benchmarks/action/run.py

MODULE ?= signoff_bot.evaluate

mutants: $(READY)  ## Break a module in many small ways and see the tests fail: MODULE=signoff_bot.checks.sweep
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/mutation.txt
	nice -n 19 $(BIN)/mutmut run "$(MODULE).*"
	@$(BIN)/mutmut results | grep "$(MODULE)[.]" || echo "no mutant survives"

dist: $(READY)  ## Build the wheel and the source archive
	rm -rf dist
	$(BIN)/hatchling build

lock:  ## Renew the hash-pinned lists (needs uv)
	uv pip compile --universal --generate-hashes --no-header --no-emit-index-url pyproject.toml --output-file requirements/run.txt
	uv pip compile --universal --generate-hashes --no-header --no-emit-index-url --group dev pyproject.toml --output-file requirements/dev.txt
	uv pip compile --universal --generate-hashes --no-header --no-emit-index-url --group bench --output-file requirements/bench.txt
	uv pip compile --universal --generate-hashes --no-header --no-emit-index-url --group mutation --constraint requirements/dev.txt --output-file requirements/mutation.txt

clean:  ## Remove everything that was made
	rm -rf $(VENV) build dist mutants .mypy_cache .ruff_cache .pytest_cache .hypothesis
