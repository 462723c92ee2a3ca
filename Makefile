# Everything from a fresh clone: each target makes its environment when it has to.
#
#   make demo     the railway's claims desk, offline, in the terminal and as one page
#   make test     format, lint, types, layers, then the tests
#   make lab      JupyterLab on the notebooks
#   make lint     the checks of `make test` without the tests
#   make hosts    the explorer in Notebook 7, Voila and marimo, in an environment of their own
#   make lowest   the tests on the oldest supported versions of every dependency
#   make clean    remove the environments

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VENV := .venv
LOWEST := .venv-lowest
HOSTS := .venv-hosts
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
LOWEST_STAMP := $(LOWEST)/.ready
HOSTS_STAMP := $(HOSTS)/.ready
EXTRAS := anthropic,openai,otel,stats,testing
PYTEST := -m pytest -n 2 --dist loadfile
# Jupyter refuses to run as root unless told; in a container there is often nobody else.
ALLOW_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
PIP := -m pip --disable-pip-version-check --quiet

.PHONY: help demo test lab lint hosts lowest clean

help:
	@sed -n 's/^#   make/make/p' Makefile

demo: $(STAMP)
	@$(BIN)/explainkit demo

test: lint
	@$(BIN)/python $(PYTEST)

lab: $(STAMP)
	@$(BIN)/jupyter lab --notebook-dir=notebooks $(ALLOW_ROOT)

lint: $(STAMP)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

hosts: $(STAMP) $(HOSTS_STAMP)
	@EXPLAINKIT_HOSTS=$(abspath $(HOSTS))/bin/python $(BIN)/python -m pytest tests/notebook/test_hosts.py

lowest: $(LOWEST_STAMP)
	@$(LOWEST)/bin/python $(PYTEST) -m "not slow"

clean:
	rm -rf $(VENV) $(LOWEST) $(HOSTS)

# The stamps follow pyproject.toml, so a second call starts at once and a changed dependency is installed.
$(STAMP): pyproject.toml
	@.ci/venv $(VENV)
	@echo "explainkit: installing into $(VENV) (a minute or two, once)" >&2
	@$(BIN)/python $(PIP) install --upgrade "pip>=25.1"
	@$(BIN)/python $(PIP) install --editable ".[$(EXTRAS)]" --group dev
	@# The news prompt of JupyterLab reads a feed from the network.
	@$(BIN)/jupyter labextension disable "@jupyterlab/apputils-extension:announcements" >/dev/null 2>&1
	@touch $@

$(LOWEST_STAMP): pyproject.toml tests/lower-bounds.txt
	@.ci/venv $(LOWEST)
	@echo "explainkit: installing the oldest supported versions into $(LOWEST)" >&2
	@$(LOWEST)/bin/python $(PIP) install --upgrade "pip>=25.1"
	@$(LOWEST)/bin/python $(PIP) install --editable ".[$(EXTRAS)]" --group test --constraint tests/lower-bounds.txt
	@touch $@

$(HOSTS_STAMP): pyproject.toml
	@.ci/venv $(HOSTS)
	@echo "explainkit: installing Notebook, Voila and marimo into $(HOSTS)" >&2
	@$(HOSTS)/bin/python $(PIP) install --upgrade "pip>=25.1"
	@$(HOSTS)/bin/python $(PIP) install --editable . --group hosts
	@touch $@
