# `make book` and `make test` set everything up; `make` lists the rest.

PYTHON ?= python3
PORT ?= 8000

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
# Written when everything is installed, so that later runs need not look.
READY := $(VENV)/ready
PIP := $(PY) -m pip install --disable-pip-version-check
# Without those that need the pages and a browser.
BENCHMARKS := $(filter-out %/pages.py %/explorables.py, \
    $(wildcard benchmarks/[!_]*.py))
PAGE := $(CURDIR)/_build/html/index.html

# Containers often forbid Python to keep what it has compiled; the tests would
# then compile all of it again in each of their many processes.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help book notebooks pdf catalogues serve lab check test lint types \
    execute test-notebooks test-other-cpu test-browsers mutants bench lock clean \
    chromium browsers chinese

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s%s\n", $$1, $$2}' \
	    $(MAKEFILE_LIST)

book: $(READY)  ## build the pages of the book
	$(BIN)/jupyter-book build -W -n --keep-going .
	@echo "The book: file://$(PAGE)"

# After the pages, which read what has changed; both share what is read.
notebooks: book  ## write the chapters as notebooks that any program shows
	$(BIN)/jupyter-book build -W -n --keep-going \
	    --builder custom --custom-builder notebooks .
	$(PY) book/_ext/launch_branch.py

pdf: book chromium chinese  ## print the book, or ONLY="..." some pages, as PDFs
	PYTHONPATH=tests:book/_ext $(PY) -m paper $(ONLY)

catalogues: book  ## compare the translations with the pages
	$(PY) book/_ext/catalogues.py

serve: book  ## build the pages and show them on this machine (PORT=8000)
	@echo "The book: http://127.0.0.1:$(PORT)  (Ctrl-C ends)"
	@$(PY) -m http.server --bind 127.0.0.1 --directory _build/html $(PORT)

lab: $(READY)  ## open the chapters in JupyterLab
	@$(BIN)/jupyter trust book/*/*.ipynb book/*/*/*.ipynb > /dev/null
	$(BIN)/jupyter lab book

check: $(READY) lint  ## prove what changed, or one chapter (CHAPTER=events)
	$(PY) tests/check.py $(CHAPTER)

test: $(READY) chromium chinese lint  ## prove everything: outputs, library, pages
	$(PY) -m pytest -n auto --durations=15

lint: $(READY)  ## check the style of code and notebooks
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)  ## check the types of the library
	$(PY) -m mypy

execute: $(READY)  ## run notebooks that changed (NB="a.ipynb ..." or ALL=1)
	$(PY) book/_ext/notebooks.py $(if $(ALL),--all) $(NB)

test-notebooks: notebooks  ## run what `make notebooks` writes, and compare
	$(PY) -m pytest -n auto _build/notebooks/*.ipynb

test-other-cpu: $(READY)  ## compare the outputs as an older processor
	$(PY) tests/other_cpu.py

test-browsers: $(READY) browsers  ## read the book in Firefox and WebKit
	$(PY) -m pytest --durations=15 tests/book/other_browsers.py

mutants: $(READY)  ## change library and pages: does a test see it? (hours)
	@$(PY) tests/mutants.py $(MUTANTS)

bench: $(READY)  ## time the library beside its peers (SMOKE=1: only a try)
	@for script in $(if $(SMOKE),$(filter-out %/large_data.py,$(BENCHMARKS)), \
	    $(BENCHMARKS)); do \
	    $(if $(SMOKE),BENCH_ROUNDS=1) $(PY) $$script || exit 1; \
	done

lock: $(READY)  ## write requirements.txt anew (UPGRADE=1: newest versions)
	$(PY) -m venv $(VENV)/lock && $(VENV)/lock/bin/pip install --quiet uv
	grep -v '^-e' requirements.txt > $(VENV)/lock.txt
	$(VENV)/lock/bin/uv pip compile pyproject.toml --all-extras --universal \
	    --python-version 3.11 --no-annotate --no-header --no-emit-index-url \
	    $(if $(UPGRADE),--upgrade) --quiet --output-file $(VENV)/lock.txt
	(head -n 1 requirements.txt; cat $(VENV)/lock.txt; echo "-e .") \
	    > $(VENV)/requirements.txt
	mv $(VENV)/requirements.txt requirements.txt

clean:  ## remove what these commands made
	rm -rf $(VENV) _build

# uv installs in a fraction of pip's time, but knows nothing of the mirrors that
# pip may have been told of: where it fails, pip does it.
$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo 'This book needs Python 3.11 or later, and `$(PYTHON)` is' \
	        "`$(PYTHON) --version 2>&1`."; \
	    echo 'Install a newer one, or name it: make PYTHON=python3.12 book'; \
	    exit 1; } >&2
	@echo 'Setting up $(VENV): some minutes the first time.'
	$(PYTHON) -m venv $(VENV)
	{ $(PIP) uv && $(BIN)/uv pip install --python $(PY) --system-certs \
	    -r requirements.txt; } \
	    || $(PIP) -r requirements.txt
	@touch $@

# The tests open the pages in a real browser.  Where apt can, it brings one;
# elsewhere the last line says what is missing and how to install it.
SUDO := $(if $(filter-out 0,$(shell id -u)),sudo)
chromium: $(READY)
	@if test -z "$$CHROMIUM" && command -v apt-get > /dev/null \
	    && ! $(PY) tests/browsing.py > /dev/null 2>&1; then \
	    $(SUDO) apt-get update; \
	    for package in chromium-headless-shell chromium; do \
	        $(SUDO) apt-get install --yes --no-install-recommends $$package \
	            && break; \
	    done; \
	fi
	@$(PY) tests/browsing.py

# On paper the Chinese terms need a font with their signs.
chinese:
	@if command -v apt-get > /dev/null && command -v fc-list > /dev/null \
	    && test -z "$$(fc-list :lang=zh-cn)"; then \
	    $(SUDO) apt-get update; \
	    $(SUDO) apt-get install --yes --no-install-recommends \
	        fonts-noto-cjk; \
	fi

browsers: $(READY)
	@if command -v apt-get > /dev/null \
	    && ! $(PY) tests/driving.py > /dev/null 2>&1; then \
	    $(SUDO) apt-get update; \
	    for package in firefox-esr webkit2gtk-driver xvfb; do \
	        $(SUDO) apt-get install --yes --no-install-recommends $$package \
	            || true; \
	    done; \
	fi
	@$(PY) tests/driving.py
