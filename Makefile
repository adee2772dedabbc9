# Every command there is. `make` alone lists them.
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
UV := $(shell command -v uv 2>/dev/null)
JOBS ?= auto

PEER := $(VENV)/peers/socha
ifdef UV
NEW_VENV = $(UV) venv --quiet --python '>=3.11' $(VENV)
INSTALL = VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet
MAKE_PEER_VENV = test -d $(PEER) || $(UV) venv --quiet --python $(BIN)/python $(PEER)
INSTALL_PEER = VIRTUAL_ENV=$(PEER) $(UV) pip install --quiet
else
NEW_VENV = $(PYTHON) -m venv $(VENV)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check
MAKE_PEER_VENV = test -d $(PEER) || $(BIN)/python -m venv $(PEER)
INSTALL_PEER = $(PEER)/$(notdir $(BIN))/python -m pip install --quiet --disable-pip-version-check
endif
LOG := $(VENV).log
OFFLINE := connection|network|resolve|timed out|offline|no matching distribution|fetch|dns
# Installers fail with pages; whoever only wants to play gets a line. The pages are in the log.
MAKE_VENV = test -e $(VENV)/pyvenv.cfg || $(NEW_VENV) >$(LOG) 2>&1 || { rm -rf $(VENV); \
	echo "Spielleiter: $(VENV) cannot be made: $$(head -n 1 $(LOG)) ($(LOG) has more)"; exit 1; }
install = $(INSTALL) $(1) >$(LOG) 2>&1 || { if grep -qiE '$(OFFLINE)' $(LOG); \
	then echo "Spielleiter: packages must be fetched once, and the package index cannot be reached:" \
		"connect to the network and try again ($(LOG) has more)"; \
	else echo "Spielleiter: the packages cannot be installed:" \
		"$$(grep -v '^ *$$' $(LOG) | tail -n 1) ($(LOG) has more)"; fi; exit 1; }

.PHONY: help
help: ## list every target
	@echo 'Spielleiter: make TARGET'
	@sed -n 's/^\([a-z][a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS='	' read -r name text; do printf '  %-15s %s\n' "$$name" "$$text"; done

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Spielleiter needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Set PYTHON=... to another one.") if sys.version_info < (3, 11) else None'
	@echo 'Spielleiter: fetching packages into $(VENV), once ...'
	@$(MAKE_VENV)
	@$(call install,-e .)
	@rm -f $(LOG)
	@touch $@

$(VENV)/.installed-dev: pyproject.toml $(VENV)/.installed
	@$(call install,-e '.[dev]')
	@rm -f $(LOG)
	@touch $@

.PHONY: install
install: $(VENV)/.installed ## make .venv with what playing needs

.PHONY: dev
dev: $(VENV)/.installed-dev ## make .venv with what working on it needs

.PHONY: play
play: $(VENV)/.installed ## play a whole game between two house bots and show the result
	@$(BIN)/spielleiter play greedy random --seed 1 --watch terminal

.PHONY: web
web: $(VENV)/.installed ## open the page in the browser with a game running, until Ctrl+C
	@$(BIN)/spielleiter play searcher planner --watch browser

# Programs of others to test against, each in an environment of its own. Where one cannot be had, its test is skipped.
$(VENV)/.installed-peers: $(VENV)/.installed
	@$(MAKE_PEER_VENV)
	@$(INSTALL_PEER) 'socha==5.1.0' 'setuptools<70' >$(LOG) 2>&1 || \
		echo 'socha cannot be installed here: its test will be skipped'
	@touch $@

.PHONY: test
test: $(VENV)/.installed-dev $(VENV)/.installed-peers ## run all tests
	@$(BIN)/python -m pytest -n $(JOBS)

$(VENV)/.installed-browser: pyproject.toml $(VENV)/.installed-dev
	@$(call install,-e '.[browser]')
	@rm -f $(LOG)
	@touch $@

# The browser itself is the one of this system. Where there is none, a line says how to get it.
.PHONY: browser
browser: $(VENV)/.installed-browser ## look at the page in a real Chromium
	@BROWSER_TESTS=$${BROWSER_TESTS:-yes} $(BIN)/python -m pytest -n $(JOBS) -rs tests/browser

.PHONY: screenshots
screenshots: $(VENV)/.installed-browser ## take the pictures of the page in docs anew
	@$(BIN)/python -m tools.page_pictures

.PHONY: check
check: $(VENV)/.installed-dev types-of-page ## lint, format, types, import rules
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# Types of the page's modules need Node. Where it or its packages cannot be had, a line says so.
TSC := $(VENV)/node/node_modules/.bin/tsc
.PHONY: types-of-page
types-of-page: $(VENV)/.installed-dev
	@test -x $(TSC) || ! command -v npm >/dev/null || \
		npm install --silent --no-audit --no-fund --prefix $(VENV)/node typescript@5 >$(LOG) 2>&1 || true
	@if test -x $(TSC); then $(TSC) -p jsconfig.json; \
		else echo 'left out: the types of the page, which need Node and its package typescript'; fi

# The engine is a package of its own, written in Rust. Everything else works without it.
ENGINE_SOURCES := $(shell find engine/src engine/python engine/weights engine/*.toml -type f 2>/dev/null)
$(VENV)/.installed-engine: $(VENV)/.installed $(ENGINE_SOURCES)
	@command -v cargo >/dev/null || { echo 'Spielleiter: the engine is written in Rust, and cargo is missing:' \
		'install it from https://rustup.rs and try again'; exit 1; }
	@$(call install,'maturin>=1.7')
	@rm -rf engine/target/wheels
	@cd engine && ../$(BIN)/maturin build --release --out target/wheels >../$(LOG) 2>&1 || { \
		echo "Spielleiter: the engine cannot be built: $$(grep -m 1 -iE '^error|failed' ../$(LOG)) ($(LOG) has more)"; exit 1; }
	@$(call install,--force-reinstall --no-deps engine/target/wheels/*.whl)
	@rm -f $(LOG)
	@touch $@

.PHONY: engine
engine: $(VENV)/.installed-engine ## build the engine and install it into .venv (needs Rust)

# Tests that leave something out as long as the engine is missing.
WITH_ENGINE := tests/engine tests/games tests/cli/test_analyse.py tests/web/test_analysis.py
.PHONY: engine-test
engine-test: $(VENV)/.installed-dev $(VENV)/.installed-engine ## check and test the engine
	@cd engine && cargo fmt --check
	@cd engine && cargo clippy --quiet --all-targets -- -D warnings
	@cd engine && cargo clippy --quiet --all-targets --features python -- -D warnings
	@cd engine && cargo test --quiet
	@$(BIN)/python -m pytest -n $(JOBS) engine/tests $(WITH_ENGINE)

# Weights from nothing. It takes hours, can be stopped, and goes on where it was.
.PHONY: engine-weights
engine-weights: engine-weights-hares ## let the engine learn to play from nothing, which takes hours
	@cd engine && cargo build --quiet --release
	@cd engine && target/release/engine-tool learn dir=target/weights
	@cp engine/target/weights/value.bin engine/target/weights/priors.bin engine/weights

# Those of Hase und Igel alone take about half an hour.
.PHONY: engine-weights-hares
engine-weights-hares:
	@cd engine && cargo build --quiet --release
	@cd engine && target/release/hares-tool learn dir=target/weights-hares
	@cp engine/target/weights-hares/hares.bin engine/weights

.PHONY: format
format: $(VENV)/.installed-dev ## put the code into shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

.PHONY: pages
pages: $(VENV)/.installed-dev ## make pictures, tables and examples in docs anew
	@$(BIN)/python -m tools.pages

.PHONY: bench
bench: $(VENV)/.installed-dev ## measure speed, print a table
	@$(BIN)/python -m benchmarks

.PHONY: fuzz
fuzz: $(VENV)/.installed-dev ## throw a million broken inputs at the protocol
	@$(BIN)/python -m fuzz.fuzz_protocol --count 1000000

.PHONY: load
load: $(VENV)/.installed-dev ## hold 1,000 games at once, players think a second
	@$(BIN)/python -m benchmarks.load --games 1000 --concurrent 1000 --think 1 --idle 2000 --serve "--limit-lobby-seconds 600"

.PHONY: kill
kill: $(VENV)/.installed-dev ## kill what plays a tournament of 1,000 games, and see that nothing is lost
	@$(BIN)/python -m benchmarks.kill --games 1000 --times 3

.PHONY: soak
soak: $(VENV)/.installed-dev ## play 10,000 games and watch memory
	@$(BIN)/python -m benchmarks.load --games 10000 --concurrent 20 --flat

.PHONY: clean
clean: ## remove what make made
	rm -rf $(VENV) $(LOG) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache engine/target
