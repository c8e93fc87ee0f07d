# make run: the notebook at http://127.0.0.1:8765. make test: every check and test, as CI runs them.

PYTHON ?= python3
BIN := .venv/bin
WHAT_IS_INSTALLED := pyproject.toml constraints.txt

.PHONY: run test lint format eval bench browser-packages clean
.DEFAULT_GOAL := run

run: .venv/installed
	$(BIN)/cortex serve

test: lint browser-packages
	$(BIN)/pytest

lint: .venv/installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/installed-for-tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

eval: .venv/installed
	$(BIN)/cortex eval

bench: .venv/installed
	$(BIN)/pip install --quiet --editable '.[bench]'
	$(BIN)/cortex bench

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

.venv/installed: .venv/made $(WHAT_IS_INSTALLED)
	$(BIN)/pip install --quiet --editable . --constraint constraints.txt
	@touch $@

.venv/installed-for-tests: .venv/made $(WHAT_IS_INSTALLED)
	$(BIN)/pip install --quiet --editable '.[dev]' --constraint constraints.txt
	@touch $@ .venv/installed

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Cortex needs Python 3.11 or later: make PYTHON=/path/to/python3'; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

# The browser tests drive Debian's Chromium; Chinese pages need a font that has the characters.
browser-packages:
	@if command -v chromium >/dev/null && fc-list 2>/dev/null | grep -q 'Noto Sans CJK'; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo 'Installing chromium and fonts-noto-cjk for the browser tests'; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-noto-cjk >/dev/null; \
	else \
		echo 'The browser tests are skipped where chromium is missing: apt install chromium fonts-noto-cjk'; \
	fi
