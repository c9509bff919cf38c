# Backbench: run, test, check. Needs Python >= 3.11 and make, nothing else.
PYTHON ?= python3
BIN := .venv/bin
# Written when the packages of requirements/core.txt, run.txt or dev.txt are installed; dev.txt contains the others.
CORE := .venv/.core
EXTRAS := .venv/.extras
DEV := .venv/.dev
INSTALLER := tools/setup.py requirements/uv.txt requirements/build.txt pyproject.toml

.PHONY: help setup extras run test missing lint audit check prove bench lock docs vendor clean

help: ## List the targets.
	@sed -nE 's/^([a-z]+):.*## (.*)/\1\t\2/p' Makefile | expand -t 9

run: $(CORE) ## Serve http://127.0.0.1:8000 with a demo workshop; PORT=8001 serves on another port.
	@$(BIN)/backbench serve --demo $(if $(PORT),--port $(PORT))

extras: $(EXTRAS) ## Install what the optional parts need: Google sign-in, Stripe, a language model.

setup: $(DEV) ## Install everything, tools for development included.

$(CORE): requirements/core.txt $(INSTALLER)
	@$(PYTHON) tools/setup.py core
	@touch $(CORE)

$(EXTRAS): requirements/run.txt $(INSTALLER)
	@$(PYTHON) tools/setup.py run
	@touch $(CORE) $(EXTRAS)

$(DEV): requirements/dev.txt $(INSTALLER)
	@$(PYTHON) tools/setup.py dev
	@touch $(CORE) $(EXTRAS) $(DEV)

# Many tests wait for a process to start or a deadline to pass, so use two processes more than there are cores.
TEST_PROCESSES ?= $(shell $(PYTHON) -c "import os; print(min(6, 2 + (os.cpu_count() or 1)))")

test: setup ## Run every test: on PostgreSQL what SQLite, in a browser what a page without layout does not show.
	$(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist worksteal

# Code, reference and types of the app, compared with each other. No server, no browser, no PostgreSQL.
missing: setup ## Name what a changed field or operation still lacks, in some seconds.
	$(BIN)/python -m pytest -q -p no:xdist tests/http/test_openapi.py tests/test_routes.py tests/web/test_shapes.py \
		-k "not generated and not anybody and not javascript"
	$(DENO) check --quiet --no-remote src/backbench/web/app src/backbench/web/sw.js tests/web/unit

# Checks, formats and tests the JavaScript of the web app, without a network.
DENO := DENO_DIR=build/deno DENO_NO_UPDATE_CHECK=1 $(BIN)/deno

lint: setup ## Check format, lint rules, types, imports and commits.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.commits
	$(DENO) fmt --check --quiet
	$(DENO) lint --quiet
	$(DENO) check --quiet --no-remote src/backbench/web/app src/backbench/web/sw.js tests/web/unit tests/web/dom/process.js

audit: setup ## Check the locked libraries against known vulnerabilities (skipped offline); write build/sbom.cdx.json.
	$(BIN)/python -m tools.sbom
	$(BIN)/python -m tools.audit

check: lint audit test ## Everything a change must pass.

prove: setup ## Run the long tests: hundreds of kills, tens of thousands of generated requests.
	PROVE=1 TEST_ENGINES=all $(BIN)/python -m pytest -m prove

bench: setup ## Measure throughput and latency against similar servers, in one run, as ratios.
	$(BIN)/python -m benchmarks

# Compiled without the local indexes of pip, whose files may be for one platform only.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

lock: setup ## Choose the versions of all packages anew. The files hold hashes and no addresses.
	$(COMPILE) --upgrade --group installer --output-file requirements/uv.txt
	$(COMPILE) --upgrade --group clients --output-file requirements/clients.txt
	$(COMPILE) --upgrade --group deploy-checks --output-file requirements/deploy-checks.txt
	$(COMPILE) --group litestream --constraint requirements/deploy-checks.txt --output-file requirements/litestream.txt
	$(COMPILE) --upgrade --group pdf-checks --output-file requirements/pdf-checks.txt
	$(COMPILE) --upgrade --group dev --all-extras pyproject.toml --output-file requirements/dev.txt
	$(COMPILE) --all-extras pyproject.toml --constraint requirements/dev.txt --output-file requirements/run.txt
	$(COMPILE) pyproject.toml --constraint requirements/dev.txt --output-file requirements/core.txt
	$(COMPILE) --group build --constraint requirements/dev.txt --output-file requirements/build.txt
	$(COMPILE) --group image --constraint requirements/dev.txt --output-file requirements/image.txt

docs: setup ## Regenerate the types of the web app, the examples of the reference, the table of scopes, the build number of the API and the pictures of the guide.
	$(BIN)/python -m tools.js_shapes
	$(BIN)/python -m tools.examples
	$(BIN)/python -m tools.scope_table
	$(BIN)/python -m tools.api_build
	$(BIN)/python -m tools.golden_pages
	$(BIN)/python -m tools.app_pictures

vendor: setup ## Fetch the web app's vendored files again, by npm, from src/backbench/web/app/vendor/VENDORED.toml.
	$(BIN)/python -m tools.vendor

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
