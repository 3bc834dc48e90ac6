# The two commands of the README: `make demo` and `make test`. Each sets up
# what it needs in a virtual environment of its own and works offline after
# the packages are there.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# More than two cores need: many tests wait for processes, servers and browsers.
JOBS   ?= 4

.PHONY: help demo test lint types check format bench docs clean

help:
	@echo "make demo    set up, then run a focused crawl of a small web on this machine"
	@echo "make test    set up, then run all tests"
	@echo "make lint    ruff: rules and formatting"
	@echo "make types   mypy --strict"
	@echo "make check   lint, types and tests"
	@echo "make bench   the benchmarks of benchmarks/, each printing a ratio"
	@echo "make docs    the docs as a site, in site/"
	@echo "make clean   remove the virtual environment and what was built"

demo: $(VENV)/.installed
	$(BIN)/semcrawl demo

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

check: lint types test

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/.installed-docs
	$(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "semcrawl needs Python 3.11 or newer; say which with: make PYTHON=python3.12 ..."; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,bench]'
	@touch $@ $(VENV)/.installed-dev $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
