# Backbench on one page. `make run` and `make test` need Python >= 3.11 and make, nothing else.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: setup run test lint audit check prove bench lock docs clean

setup: $(READY)

$(READY): requirements/dev.txt pyproject.toml tools/setup.py
	$(PYTHON) tools/setup.py
	@touch $(READY)

run: setup ## Serve http://127.0.0.1:8000 with a demo workshop.
	$(BIN)/backbench serve --demo

# Many tests wait for a process to start or a deadline to pass, so one process more than there are cores.
TEST_PROCESSES ?= $(shell $(PYTHON) -c "import os; print(min(6, 1 + (os.cpu_count() or 1)))")

test: setup ## Every test on both engines; under five minutes on two cores.
	$(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist worksteal

lint: setup ## Format, lint, types, layers.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

audit: setup ## The locked libraries against known advisories (skipped offline), and their list: build/sbom.cdx.json.
	$(BIN)/python -m tools.sbom
	$(BIN)/python -m tools.audit

check: lint audit test ## All that has to hold before a change is taken.

prove: setup ## The long proofs: hundreds of kills, tens of thousands of generated requests.
	PROVE=1 $(BIN)/python -m pytest -m prove

bench: setup ## Throughput and latency against the peers, in one run, as ratios.
	$(BIN)/python -m benchmarks

lock: ## Choose versions anew (needs uv); the files hold hashes and no addresses.
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--all-extras pyproject.toml -o requirements/run.txt --upgrade
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--all-extras --group dev pyproject.toml -o requirements/dev.txt --upgrade

docs: setup ## Write what docs/api takes from the table of operations, and draw the pages that the guide shows.
	$(BIN)/python -m tools.api_docs
	$(BIN)/python -m tools.golden_pages

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
