# All commands of the project. `make` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
BUILD ?= $(CURDIR)/.build
SWIFT ?= swift
TOOLCHAIN := $(dir $(realpath $(shell command -v $(SWIFT))))
CLANG ?= $(TOOLCHAIN)clang

LIBRARIES := SystemSupport CommandLineKit JSON CivilTime Domain Contract Networking Persistence JSONRPC MCP
PACKAGES := $(LIBRARIES:%=Packages/%) Tools/novablend Tools/novablend-backend
TEST_PACKAGES := Examples Tests/Crash Tests/EndToEnd Tests/Fuzzing Tests/SixthResource Tests/Benchmarks/peers/swift
SOURCES := Package.swift Packages Examples Tools Tests

# The number of tests that run at the same time, also on a machine with many cores. If all of them started at
# once, their deadlines would include waiting for each other.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 6

# A cached build plan misses files that were added to or removed from a package's dependencies.
STRICT := --disable-build-manifest-caching --explicit-target-dependency-import-check error \
	-Xswiftc -warnings-as-errors -Xcc -Werror
# What the dynamic linker reads delays each start and stays in memory. So a program exports no symbols, does not look
# for libraries next to itself, and its relocations are packed, which needs glibc 2.36 and a linker that can do it.
# A program and its debug information contain no path of this directory, and no hash of one, so they are the same
# wherever they are built.
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic \
	-Xlinker --build-id=sha1 -Xlinker -z -Xlinker pack-relative-relocs $(STRICT) \
	-Xlinker -T -Xlinker $(CURDIR)/Tools/Scripts/discard.ld \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
	-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
# The tests of all packages are built in one directory, so that a module that several of them use is
# compiled once.
TEST := $(SWIFT) test --disable-xctest $(STRICT) --quiet --scratch-path $(BUILD)/tests --package-path

# Dependencies of the Swift toolchain, then libraries that we link, then tools of the tests.
DEBIAN := binutils git tzdata libc6-dev libgcc-12-dev libstdc++-12-dev libncurses6 libxml2 \
	libedit2 libcurl4 libsqlite3-0 zlib1g-dev pkg-config \
	libcurl4-openssl-dev libsimdjson-dev libxxhash-dev libsodium-dev libmicrohttpd-dev libsqlite3-dev \
	libpq-dev openssl strace faketime python3
# What checks the spelling.
DEBIAN_LINT := codespell
# Shells that complete commands, what formats the manual page, and a spreadsheet that saves files of salons.
DEBIAN_TEST := fish groff-base libreoffice-calc zsh
# Third-party clients and language servers, the proxies between them and the backend, what monitors it, and
# the browser that shows apps.
DEBIAN_CLIENTS := chromium clangd emacs-nox elpa-evil elpa-package-lint elpa-relint lua-check neovim nodejs node-typescript \
	python3-venv nginx haproxy varnish fonts-dejavu-core prometheus curl iproute2 systemd
# The server of the tests with PostgreSQL, a pooler, and the proxy in front of several instances.
DEBIAN_POSTGRES := pgbouncer postgresql
DEBIAN_CHAOS := postgresql haproxy
# Programs that the benchmarks compare with, and the build dependencies of others.
DEBIAN_BENCH := clangd curl libcurl4-openssl-dev python3-venv sqlite3 postgresql
DEBIAN_INSTRUCTIONS := valgrind
DEBIAN_SIZE := llvm
# What writes the packages, and the libraries that the programs load when they need them.
DEBIAN_PACKAGES := debhelper libpq5 ca-certificates patchelf zstd
# What tests the packages.
DEBIAN_TEST_PACKAGES := buildah debootstrap diffoscope-minimal lintian python3-venv
missing = $(strip $(shell for p in $(1); do \
	dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done))
# Installs missing packages. If none is missing, root is not needed.
define install
@if [ -n "$(call missing,$(1))" ]; then Tools/Scripts/install.sh $(call missing,$(1)); fi
endef

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: deps
deps: ## install missing Debian packages
	$(call install,$(DEBIAN))

.PHONY: build
build: deps ## build both programs into bin/, and their debug information into bin/*.debug
	@mkdir -p bin
	@for tool in novablend novablend-backend; do \
		$(SWIFT) build --scratch-path $(BUILD)/programs $(RELEASE) --product $$tool; \
		Tools/Scripts/finish.sh $(BUILD)/programs/release/$$tool bin/$$tool; \
	done

.PHONY: build-time
build-time: deps ## build both programs from nothing, and print the processor time of each module
	@SWIFT=$(SWIFT) Tools/Scripts/build-time.py $(BUILD)/build-time $(RELEASE)

.PHONY: size
size: deps ## count files, lines, modules, and types; with WALKS=1 also the functions that calls enter
	$(call install,$(if $(WALKS),$(DEBIAN_SIZE)))
	@$(if $(WALKS),for tool in novablend novablend-backend; do \
		$(SWIFT) build --package-path Tools/$$tool --scratch-path $(BUILD)/tests $(STRICT) --quiet \
			--product $$tool; \
	done)
	@python3 -B Tools/Scripts/size.py $(if $(WALKS),--walks $(BUILD)/tests/debug)

.PHONY: demo
demo: build ## run a demo: list, book, stop the server, list from the cache
	@Tools/Scripts/demo.sh

.PHONY: test-consumers
test-consumers: build ## build and run one program per library, from a git URL and a version
	@echo "== Tests/Consumers"
	@BUILD=$(BUILD) SWIFT=$(SWIFT) Tests/Consumers/test.sh bin/novablend bin/novablend-backend

.PHONY: test
test: build test-consumers ## run the tests of all packages and examples, the end-to-end tests, and the golden files
	$(call install,$(DEBIAN_TEST))
	@echo "== Tests/Golden"
	@python3 -B Tests/Golden/golden.py bin
	@export NOVABLEND_BIN=$(CURDIR)/bin; \
	for package in $(PACKAGES) Examples $(addprefix Tests/,Fuzzing SixthResource EndToEnd); do \
		echo "== $$package"; \
		$(TEST) $$package; \
	done
	@$(unreached)

.PHONY: golden
golden: build ## compare what the programs write with the golden files
	@python3 -B Tests/Golden/golden.py bin

.PHONY: golden-accept
golden-accept: build ## store what the programs write, and why it changed: REASON="..."
	@test -n "$(REASON)" || { echo 'say why: make golden-accept REASON="..."'; exit 1; }
	@python3 -B Tests/Golden/golden.py bin --accept "$(REASON)"

.PHONY: test-postgres
test-postgres: deps ## run the tests of the store with a throwaway server of PostgreSQL
	$(call install,$(DEBIAN_POSTGRES))
	@Tools/Scripts/with-postgres.sh $(TEST) Tools/novablend-backend --filter PostgreSQL

# Seconds of faults. SEED, which is below, determines them.
CHAOS_SECONDS ?= 600

.PHONY: chaos
chaos: build ## kill instances and database servers under load for CHAOS_SECONDS (600)
	$(call install,$(DEBIAN_CHAOS))
	@python3 -B -m unittest discover --start-directory Tests/Chaos
	@Tools/Scripts/with-postgres.sh python3 -B Tests/Chaos/run.py --binaries bin \
		--seconds $(CHAOS_SECONDS) --seed $(SEED)

# The size of the database in megabytes, and the longest time for which a command may lock it, in milliseconds.
MEGABYTES ?= 500
LOCK_LIMIT ?= 50

.PHONY: operations-test
operations-test: build ## run erase, prune, and backup on a database of 500 MB under load, and measure locks; by hand
	@python3 -B Tests/Operations/run.py --binaries bin --megabytes $(MEGABYTES) --limit $(LOCK_LIMIT)

.PHONY: crash-test
crash-test: build ## run the long tests: crashes, failing disks, 1,000 kills, 100,000 requests, random histories
	$(call install,$(DEBIAN_POSTGRES))
	@export NOVABLEND_LONG_TESTS=1 NOVABLEND_BIN=$(CURDIR)/bin; \
	$(TEST) Tests/Crash; \
	$(TEST) Packages/Persistence; \
	$(TEST) Packages/Networking; \
	$(TEST) Tools/novablend --filter FollowedListHistoryTests; \
	$(TEST) Tests/EndToEnd --filter 'BackendKillTests|BackendShutdownTests|FollowedHistoryTests'; \
	Tools/Scripts/with-postgres.sh $(TEST) Tools/novablend-backend --filter PostgreSQLChangeFeedTests

# Each group of clients has its own environment, because their library versions conflict.
# The longest ones come first.
CLIENTS := $(addprefix Tests/Clients/,typed proxies agents) Tests/Clients \
	$(addprefix Tests/Clients/,app operations openapi bridge servers)

# Creates the environment of the shell variable group, in the variable venv.
environment = venv=$(BUILD)/clients/$$(basename $$group); \
		[ -x $$venv/bin/python ] || python3 -m venv $$venv; \
		$$venv/bin/pip install --quiet --disable-pip-version-check -r $$group/requirements.txt

# Runs the tests of groups of clients, two groups at a time, because most tests wait for something. The
# output of a group is printed when it has ended.
tested = printf '%s\n' $(1) | xargs -P 2 -I GROUP bash -euo pipefail -c 'group=GROUP; \
	output=$$(mktemp); trap "rm -f $$output" EXIT; code=0; \
	{ $(environment); NOVABLEND_BIN=$(CURDIR)/bin $$venv/bin/python -m pytest -q $$group; } \
		>$$output 2>&1 || code=1; \
	echo "== $$group"; cat $$output; exit $$code'

.PHONY: test-clients
test-clients: build ## run the tests with third-party clients (PyPI and Debian)
	$(call install,$(DEBIAN_CLIENTS) $(DEBIAN_POSTGRES))
	@$(SWIFT) build --package-path Examples --scratch-path $(BUILD)/tests $(STRICT) --quiet --product mcp-server
	@export NOVABLEND_EXAMPLES=$(BUILD)/tests/debug; $(call tested,$(CLIENTS))
	@$(TEST) Packages/JSONRPC --filter LanguageServerTests

FRAMEWORKS := $(addprefix Tests/Clients/frameworks/,atomic_agents autogen beeai dspy inspect_ai semantic_kernel)

.PHONY: test-frameworks
test-frameworks: build ## run the tests with agent frameworks that are large to install (PyPI)
	$(call install,python3-venv)
	@$(call tested,$(FRAMEWORKS))

.PHONY: evaluate
evaluate: build ## let a model solve the tasks for agents, with its key: MODEL=openai/gpt-5; ONLY="NAME" for one task
	$(call install,python3-venv)
	@test -n "$(MODEL)" || { echo 'name a model, such as make evaluate MODEL=openai/gpt-5'; exit 1; }
	@group=Tests/Clients/frameworks/inspect_ai; $(environment); \
	NOVABLEND_BIN=$(CURDIR)/bin $$venv/bin/inspect eval $$group/evaluation.py --model $(MODEL) \
		--log-dir $(BUILD)/evaluation $(if $(ONLY),--sample-id "$(ONLY)")

.PHONY: reference
reference: build ## generate docs/Methods.md from the method table
	@Tools/Scripts/reference.py bin/novablend

.PHONY: clients
clients: build ## generate the types, errors, and methods of the clients in Tools/clients
	@python3 -B Tools/Scripts/clients.py bin/novablend

.PHONY: bench
bench: build ## compare the speed with other tools; QUICK=1 for a quick run, ONLY=live for one group
	$(call install,$(DEBIAN_BENCH))
	@BUILD=$(BUILD) SWIFT=$(SWIFT) CLANG=$(CLANG) Tests/Benchmarks/build.sh $(RELEASE)
	@$(BUILD)/bench/venv/bin/python -B Tests/Benchmarks/bench.py --binaries bin \
		--built $(BUILD)/bench --swift $(BUILD)/peers/release \
		--python $(BUILD)/bench/venv/bin/python --output $(BUILD)/bench $(if $(QUICK),--quick) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) \
		$(if $(ONLY),--only $(ONLY))

.PHONY: instructions
instructions: build ## count instructions in fixed scenarios, and compare them with the stored counts
	$(call install,$(DEBIAN_INSTRUCTIONS))
	@python3 -B Tests/Benchmarks/instructions.py bin/novablend $(SWIFT)

.PHONY: instructions-accept
instructions-accept: build ## store new counts of instructions, and why they changed: REASON="..."
	$(call install,$(DEBIAN_INSTRUCTIONS))
	@test -n "$(REASON)" || { echo 'say why: make instructions-accept REASON="..."'; exit 1; }
	@python3 -B Tests/Benchmarks/instructions.py bin/novablend $(SWIFT) --accept "$(REASON)"

.PHONY: bench-save
bench-save: ## copy the last results of make bench to docs/Speed
	@mkdir -p docs/Speed
	@cp $(BUILD)/bench/results.md $(BUILD)/bench/*.png docs/Speed

.PHONY: bench-check
bench-check: ## compare the last results of make bench with thresholds.json
	@python3 -B Tests/Benchmarks/check.py $(BUILD)/bench/results.json

# Seconds that each fuzzer runs.
FUZZ_SECONDS ?= 60

# Both sanitizers are in one flag, because the last of two flags would win. Swift's backtraces are off,
# because libFuzzer prints its own.
.PHONY: fuzz
fuzz: deps ## run the three fuzzers for FUZZ_SECONDS (60) each
	@FUZZ=1 $(SWIFT) build --package-path Tests/Fuzzing --scratch-path $(BUILD)/fuzz \
		-c release --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address \
		-Xcxx -fsanitize=address -Xswiftc -enable-testing $(STRICT)
	@for target in framing json contract; do \
		echo "== $$target"; \
		mkdir -p $(BUILD)/fuzz-corpus/$$target; \
		SWIFT_BACKTRACE=enable=no $(BUILD)/fuzz/release/fuzz-$$target \
			-max_total_time=$(FUZZ_SECONDS) -max_len=1024 -timeout=10 \
			-verbosity=0 -print_final_stats=1 \
			-artifact_prefix=Tests/Fuzzing/FailCases/$$target/ \
			$(BUILD)/fuzz-corpus/$$target Tests/Fuzzing/Corpus/$$target; \
	done

# Runs the tests of each package under a sanitizer. The first finding ends the run.
sanitized = for package in $(PACKAGES); do \
		echo "== $$package"; \
		$(TEST:%/tests=%/$(1)) $$package --sanitize=$(1); \
	done

.PHONY: asan
asan: deps ## run the packages' tests under the address and leak sanitizers
	@export LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/leaks.supp:print_suppressions=0; \
	$(call sanitized,address)

.PHONY: tsan
tsan: deps ## run the packages' tests under the thread sanitizer
	@mkdir -p $(BUILD)
	@$(CLANG) -shared -fPIC -O1 -Wall -Werror -o $(BUILD)/tsan_mutex.so \
		Tests/Sanitizers/tsan_mutex.c -ldl
	@export TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/Sanitizers/races.supp; \
	export LD_PRELOAD=$(BUILD)/tsan_mutex.so; $(call sanitized,thread)

# Number of mutants per library, and the seed of what is random here and in `make chaos`.
COUNT ?= 40
SEED ?= 1

.PHONY: mutate
mutate: deps ## change single lines and report changes that no test detects; takes hours
	@python3 -B Tests/Mutation/mutate.py --build $(BUILD) --swift $(SWIFT) --seed $(SEED) \
		--count $(COUNT) $(if $(ONLY),--libraries "$(ONLY)") \
		$(if $(AGAIN),--again) $(if $(REPORT),--report)

.PHONY: api-breaks
api-breaks: deps ## compare the public API with the last version; fails on a break from 0.1.0 on
	@SWIFT=$(SWIFT) Tools/Scripts/api-breaks.sh $(BUILD)/api-breaks

manifest = SWIFT=$(SWIFT) Tools/Scripts/manifest.py $(1) $(BUILD)/manifest $(PACKAGES)

.PHONY: manifest
manifest: ## generate the root Package.swift from the packages' manifests
	@$(call manifest)

.PHONY: format
format: ## format the sources
	@$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

# Needs the index that debug builds of both programs write.
unreached = Tools/Scripts/unreached.py $(TOOLCHAIN)../lib/libIndexStore.so $(BUILD)/tests/debug/index/store

.PHONY: lint
lint: deps ## check format, spelling, snippets, platforms, root manifest, architecture, unused API, and equivalents.txt
	@$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)
	@$(call manifest,--check)
	$(call install,$(DEBIAN_LINT))
	@git ls-files -z | xargs -0 codespell
	@Tools/Scripts/snippets.py
	@Tools/Scripts/targets.py
	@python3 -B Tests/Mutation/mutate.py --check
	@SWIFT=$(SWIFT) Tools/Scripts/platforms.py
	@[ ! -x bin/novablend ] || python3 -B Tools/Scripts/clients.py --check bin/novablend
	@SWIFT=$(SWIFT) Tools/Scripts/architecture.py $(BUILD)/manifest $(PACKAGES) $(TEST_PACKAGES)
	@SWIFT=$(SWIFT) python3 -B -m unittest discover --quiet --start-directory Tools/Scripts
	@$(unreached)

# The libraries that other projects can use, also in their tests.
DOCUMENTED := $(LIBRARIES) Zones ICalendar JSONRPCTestSupport PersistenceTestSupport SystemTestSupport WebPrimitives
# The path of the site below its host, such as /NovaBlend.
DOCS_BASE ?=

.PHONY: docs
docs: deps ## build the documentation in .build/docs; ONLY=JSON for one library
	@for library in $(or $(ONLY),$(DOCUMENTED)); do \
		package=$$(echo Packages/*/Sources/$$library); package=$${package%/Sources/*}; \
		$(SWIFT) build --package-path $$package --scratch-path $(BUILD)/tests \
			--target $$library $(STRICT) --quiet; \
	done
	@Tools/Scripts/docs.py --base '$(DOCS_BASE)' $(SWIFT) $(BUILD) $(or $(ONLY),$(DOCUMENTED))

bin/%:
	@echo "run make build first" >&2; exit 1

.PHONY: install
install: bin/novablend bin/novablend-backend ## install programs, man pages, completions, and systemd units with their configuration
	@install -d $(DESTDIR)$(PREFIX)/bin $(addprefix $(DESTDIR)$(PREFIX)/share/,man/man1 \
		bash-completion/completions zsh/site-functions fish/vendor_completions.d)
	@install -m 755 bin/novablend bin/novablend-backend $(DESTDIR)$(PREFIX)/bin/
	@cd $(DESTDIR)$(PREFIX)/share; for tool in novablend novablend-backend; do \
		program=$(CURDIR)/bin/$$tool; \
		$$program man >man/man1/$$tool.1; \
		$$program completions bash >bash-completion/completions/$$tool; \
		$$program completions zsh >zsh/site-functions/_$$tool; \
		$$program completions fish >fish/vendor_completions.d/$$tool.fish; \
	done
	@install -d $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)/etc/novablend
	@for unit in novablend-backend.service novablend-backup.service novablend-backup.timer; do \
		sed 's|^ExecStart=/usr/local/|ExecStart=$(PREFIX)/|' Tools/novablend-backend/systemd/$$unit \
			>$(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit; \
	done
	@configuration=$(DESTDIR)/etc/novablend/backend.conf; [ -e $$configuration ] || \
		install -m 644 Tools/novablend-backend/systemd/backend.conf $$configuration
	@[ -e $(DESTDIR)/var/lib/novablend ] || install -d -m 700 $(DESTDIR)/var/lib/novablend

# The time of all files in the packages: that of the commit.
PACKAGED = export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct);

.PHONY: packages
packages: build ## write Debian packages, a wheel, an image, and an archive to dist/
	$(call install,$(DEBIAN_PACKAGES))
	@rm -rf $(BUILD)/packages
	@$(MAKE) --silent install DESTDIR=$(BUILD)/packages/installed PREFIX=/usr
	@$(PACKAGED) SWIFT=$(SWIFT) python3 -B Tools/Packaging/packages.py $(BUILD)/packages dist

.PHONY: test-packages
test-packages: packages ## install, upgrade, and remove the packages in fresh systems; needs root
	$(call install,$(DEBIAN_TEST_PACKAGES))
	@export BUILD=$(BUILD) SWIFT=$(SWIFT); $(call tested,Tests/Packages)

.PHONY: clean
clean: ## delete build products
	@rm -rf $(BUILD) bin
	@find Packages Examples Tools Tests -name .build -type d -prune -exec rm -rf {} +
