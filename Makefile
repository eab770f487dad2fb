# From a fresh clone: `make serve`, `make test`, `make check`, `make bench`. Each makes .venv and
# installs what it needs there, once. docs/hosting.md explains how to run a server.

VENV := .venv
BIN := $(VENV)/bin

# The first Python that is new enough. To choose another: make demo PYTHON=/usr/bin/python3.12
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& command -v "$$python" && break; done)

# uv installs in a fifth of pip's time. It does not read pip's settings, so it gets the two that name
# other places of packages; where it fails all the same, pip installs.
PIP := PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV := $(if $(PIP_INDEX_URL),UV_DEFAULT_INDEX="$(PIP_INDEX_URL)") \
	$(if $(PIP_FIND_LINKS),UV_FIND_LINKS="$(PIP_FIND_LINKS)") \
	$(BIN)/uv pip install --quiet --python $(BIN)/python
INSTALL := install() { $(PIP) --constraint constraints.txt uv && $(UV) "$$@" || { \
	echo "uv could not install; now pip tries." >&2; $(PIP) "$$@"; }; }; \
	install --constraint constraints.txt --editable
MADE_OF := pyproject.toml setup.py constraints.txt Makefile

# A further extra: make test EXTRA=train also tests the training of networks, which needs torch.
EXTRA ?=
COMMA := ,
EVERYTHING := $(VENV)/.everything$(addprefix -,$(EXTRA))

# Keep bytecode. Without it, each program that the tests start compiles its whole source again.
unexport PYTHONDONTWRITEBYTECODE

# The number of processes that run the tests, or as in make test WORKERS=4. Two more than there are
# cores, because many tests wait for other processes: on two cores, four are a tenth faster than three.
WORKERS ?= $(shell "$(PYTHON)" -c "import os; print((os.cpu_count() or 1) + 2)")
# `make check` has the tests of the import rules.
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal --ignore tests/test_architecture.py

.PHONY: help serve demo test test-fast test-all coverage mutants check bench clean screen browser node proxies \
	cluster pictures man docs
.DEFAULT_GOAL := help

help:
	@echo "make serve     start a server with bots on this machine, and open its page"
	@echo "make demo      watch four bots play a tournament and a final"
	@echo "make test      run the tests, except the slow ones (benchmarks, installation, sweeps of the page, PostgreSQL, most kinds of trouble)"
	@echo "make test-fast run the tests that need no window, browser, process or long search"
	@echo "make test-all  run all tests, as .ci/run does"
	@echo "make coverage  run all tests and print how much of the code they reach"
	@echo "make mutants   change a package in small ways and list the changes that no test notices"
	@echo "make check     run the linters and the type checker"
	@echo "make bench     measure the speed of the server, the searches and the window"
	@echo "make man       write the manual pages of all commands to build/man"
	@echo "make docs      write the documents as a site with search to var/site"
	@echo "make pictures  make the pictures in docs/images again"
	@echo "make clean     remove .venv, builds and caches, but not var/"

# Options of `doublecross serve` too: make serve ARGS="--host 0.0.0.0 --port 80"
serve: $(VENV)/.program
	@$(BIN)/doublecross serve --bots easy,medium,tricky,hard,perfect --open $(ARGS)

demo: $(VENV)/.program
	@$(BIN)/doublecross demo

test: $(EVERYTHING) screen browser node proxies cluster
	$(PYTEST) -m "not slow"

test-fast: $(EVERYTHING)
	$(PYTEST) -m "not window and not browser and not processes and not search and not slow"

test-all: $(EVERYTHING) screen browser node proxies cluster
	$(PYTEST)

# This also measures the processes that the tests start. It cannot see inside compiled kernels.
coverage: $(EVERYTHING) screen browser node proxies cluster
	$(PYTEST) --cov --cov-report=term --timeout=180

# Which package, and after it names of mutants if only some are wanted: make mutants ARGS="stats doublecross.stats.elo.*"
# mutmut names modules by the paths of their files, so the folders must lie below doublecross/. It writes to mutants/mutants.
ARGS ?=
mutants: $(EVERYTHING)
	@test -d "tests/$(firstword $(ARGS))" -a -n "$(ARGS)" || { \
		echo 'Name a package that has tests in a folder of its own: make mutants ARGS="stats"' >&2; exit 2; }
	rm -rf mutants
	mkdir mutants
	ln -s .. mutants/doublecross
	ln -s ../docs ../tests mutants
	sed 's:PACKAGE:$(firstword $(ARGS)):' pyproject.toml >mutants/pyproject.toml
	cd mutants && ../$(BIN)/mutmut run $(wordlist 2,$(words $(ARGS)),$(ARGS))
	@cd mutants && ../$(BIN)/mutmut results | grep -E ': (survived|no tests)' || echo "No mutant survived."

# The tests of the window use Xvfb, an X server without a screen. On Debian and Ubuntu this installs
# it if root runs it. Otherwise these tests are skipped, or fail if DOUBLECROSS_NEED_DISPLAY is set,
# as in .ci/run.
screen: $(EVERYTHING)
	@look() { \
		lacking=""; \
		command -v Xvfb >/dev/null || lacking="xvfb fonts-dejavu-core"; \
		$(BIN)/python -c 'import tkinter' 2>/dev/null || lacking="$$lacking python3-tk"; \
		test -z "$$lacking"; \
	}; \
	look && exit 0; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		echo "Installing for the tests of the window (only this once):" $$lacking; \
		export DEBIAN_FRONTEND=noninteractive; \
		said=$$({ apt-get -qq update && apt-get -qq install -y --no-install-recommends $$lacking; \
			} </dev/null 2>&1) || echo "$$said" | tail -n 5 >&2; \
		look && exit 0; \
	fi; \
	echo "The tests of the window need (Debian and Ubuntu): apt-get install" $$lacking >&2; \
	echo "Without it they are skipped; with DOUBLECROSS_NEED_DISPLAY=1 they fail." >&2

# The tests of the browser page use Chromium, best the one without windows. On Debian and Ubuntu this
# installs it if root runs it. Without any Chromium these tests are skipped, or fail if
# DOUBLECROSS_NEED_BROWSER is set, as in .ci/run.
CHROMIUM := chromium-headless-shell
browser:
	@command -v $(CHROMIUM) >/dev/null && exit 0; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		echo "Installing for the tests of the page (only this once): $(CHROMIUM) fonts-dejavu-core"; \
		export DEBIAN_FRONTEND=noninteractive; \
		said=$$({ apt-get -qq update && apt-get -qq install -y --no-install-recommends \
			$(CHROMIUM) fonts-dejavu-core; } </dev/null 2>&1) || echo "$$said" | tail -n 5 >&2; \
	fi; \
	for program in $(CHROMIUM) chromium chromium-browser google-chrome; do \
		command -v $$program >/dev/null && exit 0; \
	done; \
	echo "The tests of the page need (Debian and Ubuntu): apt-get install $(CHROMIUM)" >&2; \
	echo "Without it they are skipped; with DOUBLECROSS_NEED_BROWSER=1 they fail." >&2

# Node.js checks the types of the browser page, runs the tests of its parts without a browser, and
# validates messages with ajv. On Debian and Ubuntu this installs it if root runs it, and the packages
# of tests/node. Otherwise these tests are skipped, or fail if DOUBLECROSS_NEED_NODE is set, as in
# .ci/run.
NODE := tests/node
node: $(NODE)/node_modules/.package-lock.json

$(NODE)/node_modules/.package-lock.json: $(NODE)/package-lock.json
	@if ! command -v npm >/dev/null && test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		echo "Installing for the checks of the page (only this once): nodejs npm"; \
		export DEBIAN_FRONTEND=noninteractive; \
		said=$$({ apt-get -qq update && apt-get -qq install -y --no-install-recommends nodejs npm; \
			} </dev/null 2>&1) || echo "$$said" | tail -n 5 >&2; \
	fi; \
	if command -v npm >/dev/null; then \
		npm ci --silent --no-audit --no-fund --prefix $(NODE) && exit 0; \
	fi; \
	echo "The checks of the page need (Debian and Ubuntu): apt-get install nodejs npm" >&2; \
	echo "Without it they are skipped; with DOUBLECROSS_NEED_NODE=1 they fail." >&2

# Tests put nginx, Caddy and HAProxy in front of a server. On Debian and Ubuntu this installs them if root runs
# it, and starts none of them. Otherwise these tests are skipped, or fail if DOUBLECROSS_NEED_PROXIES is set.
proxies:
	@look() { \
		lacking=""; \
		PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null || lacking="nginx-light"; \
		command -v caddy >/dev/null || lacking="$$lacking caddy"; \
		PATH="$$PATH:/usr/sbin" command -v haproxy >/dev/null || lacking="$$lacking haproxy"; \
		test -z "$$lacking"; \
	}; \
	look && exit 0; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		echo "Installing for the tests of proxies (only this once):" $$lacking; \
		export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1; \
		said=$$({ apt-get -qq update && apt-get -qq install -y --no-install-recommends $$lacking; \
			} </dev/null 2>&1) || echo "$$said" | tail -n 5 >&2; \
		look && exit 0; \
	fi; \
	echo "The tests of proxies need (Debian and Ubuntu): apt-get install" $$lacking >&2; \
	echo "Without it they are skipped; with DOUBLECROSS_NEED_PROXIES=1 they fail." >&2

# Tests start PostgreSQL and NATS servers of their own, with data in temporary folders, and make hosts
# with `ip`. On Debian and Ubuntu this installs all of it if root runs it. The packages would make and start servers for the whole
# machine: a setting and a policy prevent that, unless the machine has a policy already. Otherwise
# these tests are skipped, or fail if DOUBLECROSS_NEED_CLUSTER is set, as in .ci/run.
cluster:
	@look() { \
		lacking=""; \
		ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null || \
			lacking="postgresql"; \
		PATH="$$PATH:/usr/sbin" command -v nats-server >/dev/null || lacking="$$lacking nats-server"; \
		PATH="$$PATH:/usr/sbin" command -v ip >/dev/null || lacking="$$lacking iproute2"; \
		test -z "$$lacking"; \
	}; \
	look && exit 0; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		echo "Installing for the tests of clusters (only this once):" $$lacking; \
		export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1; \
		policy=/usr/sbin/policy-rc.d made=""; \
		if test ! -e $$policy; then \
			printf '#!/bin/sh\nexit 101\n' > $$policy && chmod 755 $$policy && made=yes; \
		fi; \
		settings=/etc/postgresql-common/createcluster.d; \
		mkdir -p $$settings; echo "create_main_cluster = false" > $$settings/doublecross.conf; \
		said=$$({ apt-get -qq update && apt-get -qq install -y --no-install-recommends $$lacking; \
			} </dev/null 2>&1) || echo "$$said" | tail -n 5 >&2; \
		rm -f $$settings/doublecross.conf; \
		test -z "$$made" || rm -f $$policy; \
		look && exit 0; \
	fi; \
	echo "The tests of clusters need (Debian and Ubuntu): apt-get install" $$lacking >&2; \
	echo "Without it they are skipped; with DOUBLECROSS_NEED_CLUSTER=1 they fail." >&2

check: $(EVERYTHING) node
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	mkdir -p .mypy_path && ln -sfn .. .mypy_path/doublecross
	$(BIN)/mypy --num-workers auto
	$(BIN)/python -m doublecross.server.shell.web.types
	$(NODE)/node_modules/.bin/tsc --project $(NODE)
	$(BIN)/python -m pytest tests/test_architecture.py

bench: $(EVERYTHING)
	$(BIN)/python -m benchmarks

# The pictures of the page and of the window that the documents show.
pictures: $(EVERYTHING) screen browser
	DOUBLECROSS_SHOTS=docs/images $(BIN)/python -m pytest tests/client/tk/test_readme_pictures.py \
		tests/client/web/test_readme_pictures.py

# Those of an installed wheel are made when it is built.
man: $(VENV)/.program
	$(BIN)/python -m doublecross.cli.man build/man "$$($(BIN)/python -c 'import doublecross; print(doublecross.__version__)')"

# The copies lie to each other as in the repository, because links lead out of docs/.
docs: $(VENV)/.docs
	rm -rf build/docs
	mkdir -p build/docs
	tar cf - README.md CONTRIBUTING.md CHANGELOG.md LICENSE Dockerfile docs deploy benchmarks/README.md \
		client/web/icons bots/runner/home/example.toml | tar xf - -C build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "To read and search it: python3 -m http.server --directory var/site"

clean:
	rm -rf $(VENV) $(NODE)/node_modules build dist *.egg-info .mypy_cache .mypy_path .ruff_cache .pytest_cache .hypothesis \
		mutants client/web/types/api.d.ts client/web/types/wire.d.ts

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Doublecross needs Python 3.11 or newer, and none was" \
		"found. Tell make where it is: make $(firstword $(MAKECMDGOALS)) PYTHON=/path/to/python3.11" >&2; \
		exit 2; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Doublecross" \
		"needs Python 3.11 or newer, which $(PYTHON) is not." >&2; exit 2; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) has no module" \
		"venv; on Debian and Ubuntu install the package python3-venv." >&2; exit 2; }
	@"$(PYTHON)" -m venv $(VENV)

# What playing and serving need.
$(VENV)/.program: $(MADE_OF) | $(BIN)/python
	@echo "Installing into $(VENV) (only this once) ..."
	@$(INSTALL) '.[server,engines,desktop,reports]'
	@touch $@

$(VENV)/.docs: $(MADE_OF) | $(BIN)/python
	@$(INSTALL) '.[docs]'
	@touch $@

# What the tests and checks need too.
$(EVERYTHING): $(MADE_OF) | $(BIN)/python
	@echo "Installing into $(VENV), tools for tests included (only this once) ..."
	@$(INSTALL) '.[server,engines,desktop,reports,postgresql,cluster,test,dev$(addprefix $(COMMA),$(EXTRA))]'
	@touch $(VENV)/.program $@
