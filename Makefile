# Everything that is run by hand or by CI. `make help` lists it; a fresh clone needs Python 3.11 or
# newer, with its venv module, and make.

PYTHON ?= python3
WORKERS ?= auto
ONLY ?=
GAMES ?= 1000000
KILLS ?= 100
BOTS ?= 5000
MATCHES ?= 2000
CHANGES ?= 1000
SECONDS ?= 1200
TURNS ?= 5
SMOKE ?= latency locked tls ten-seats burst engine arena
SEED ?= 1
FUZZ_SECONDS ?= 600
FUZZ_JOBS ?= 2
DOORS ?=
PYTEST_ARGS ?=

# A test run starts hundreds of processes, and each would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
PINNED := .ci/requirements
PROTOS := $(wildcard proto/kitumaija/v1/*.proto)

# Stamps: an environment is installed again only when what it is made from has changed.
SERVER := .venv/.server
DEV := .venv/.dev
STUBS := .venv-stubs/.installed
PINS := .venv-pins/.installed
AUDIT := .venv-audit/.installed
FUZZ := .venv-fuzz/.installed
WHEEL_BIN := .venv-wheel/bin
WHEEL_ENV := .venv-wheel/.installed

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## Say what there is
	@echo "usage: make TARGET [PYTHON=python3.12]"
	@echo
	@sed -nE 's/^([a-z-]+):.*## (.*)$$/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

##### Playing #####

.PHONY: demo
demo: $(SERVER) ## A tournament of the sample bots on this machine, from start to standings
	@$(BIN)/kitumaija demo

##### Environments #####

%/bin/python:
	@.ci/venv "$(PYTHON)" "$*"

# $(call install,PYTHON,PINS): what builds comes first, pinned like the rest, so that nothing is built
# with whatever happens to be the newest.
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check --no-build-isolation
define install
@echo "installing $(2) for $(1)"
@$(1) $(PIP_INSTALL) --require-hashes -r $(PINNED)/build.txt
@$(1) $(PIP_INSTALL) --require-hashes -r $(2)
endef

$(SERVER): $(PINNED)/server.txt pyproject.toml | $(BIN)/python
	$(call install,$(BIN)/python,$<)
	@$(BIN)/python $(PIP_INSTALL) --no-deps --editable .
	@touch $@

$(DEV): $(PINNED)/dev.txt pyproject.toml | $(BIN)/python
	$(call install,$(BIN)/python,$<)
	@$(BIN)/python $(PIP_INSTALL) --no-deps --editable .
	@touch $@ $(SERVER)

$(STUBS): $(PINNED)/stubs.txt | .venv-stubs/bin/python
	$(call install,.venv-stubs/bin/python,$<)
	@touch $@

$(WHEEL_ENV): $(PINNED)/dev.txt | $(WHEEL_BIN)/python
	$(call install,$(WHEEL_BIN)/python,$<)
	@touch $@

$(PINS): $(PINNED)/pins.txt | .venv-pins/bin/python
	$(call install,.venv-pins/bin/python,$<)
	@touch $@

$(AUDIT): $(PINNED)/audit.txt | .venv-audit/bin/python
	$(call install,.venv-audit/bin/python,$<)
	@touch $@

$(FUZZ): $(PINNED)/dev.txt $(PINNED)/fuzz.txt pyproject.toml | .venv-fuzz/bin/python
	$(call install,.venv-fuzz/bin/python,$<)
	$(call install,.venv-fuzz/bin/python,$(PINNED)/fuzz.txt)
	@.venv-fuzz/bin/python $(PIP_INSTALL) --no-deps --editable .
	@touch $@

.PHONY: dev
dev: $(DEV) $(STUBS) ## Make .venv with everything that developing needs

.PHONY: pins
pins: $(PINS) ## Compile the pinned requirements again (UPGRADE=1 moves them to the newest)
	@UV=.venv-pins/bin/uv .ci/pins $(if $(UPGRADE),--upgrade)

.PHONY: audit
audit: $(AUDIT) ## Ask whether a weakness is known of anything that is pinned (needs the network)
	@AUDITOR=.venv-audit/bin/pip-audit .ci/audit

.PHONY: clean
clean: ## Remove the environments and every cache
	rm -rf .venv .venv-stubs .venv-pins .venv-audit .venv-fuzz .venv-wheel build dist
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -rf sample_bots/cpp/build
	rm -rf sample_bots/go/bin sample_bots/go/v1
	rm -rf sample_bots/java/target
	rm -rf sample_bots/rust/target
	rm -rf sample_bots/typescript/dist sample_bots/typescript/gen sample_bots/typescript/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

##### Code #####

.PHONY: stubs
stubs: $(STUBS) ## Generate the protobuf and gRPC stubs from proto/kitumaija/v1
	@.ci/stubs

.PHONY: vectors
vectors: $(DEV) ## Make the bytes of the worked examples in proto/vectors
	@$(BIN)/python .ci/vectors.py

.PHONY: balance
balance: $(SERVER) ## Make server/docs/balance.md: how even a round robin is (some minutes)
	@$(BIN)/python .ci/balance.py

.PHONY: format
format: $(DEV) ## Put the code in its form, and repair what ruff can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: lint
lint: $(DEV) $(STUBS) ## Form, types, import contracts, the .proto files, fresh stubs
	@$(MAKE) --no-print-directory --jobs 2 --output-sync lint-types lint-mypy lint-form

# Two at a time: the two readers of types take longest, and one core each.
.PHONY: lint-form lint-mypy lint-types
lint-form:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/buf lint proto
	.ci/stubs --check
lint-mypy:
	$(BIN)/mypy
lint-types:
	$(BIN)/pyright --level error

##### Tests #####

.PHONY: test
test: lint ## Lint, then every test (PYTEST_ARGS="-k name", WORKERS=2)
	@$(BIN)/python -m pytest -n $(WORKERS) --no-loadscope-reorder $(PYTEST_ARGS)

.PHONY: test-wheel
test-wheel: $(DEV) $(WHEEL_ENV) ## Build the wheel and run the same tests on it, away from the sources
	@rm -rf dist
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist . >/dev/null
	@$(WHEEL_BIN)/python $(PIP_INSTALL) --no-deps --force-reinstall dist/*.whl
	@.ci/installed-from-wheel $(WHEEL_BIN)/python
	@$(WHEEL_BIN)/python -m pytest -n $(WORKERS) --no-loadscope-reorder $(PYTEST_ARGS)

##### Bots in other languages #####

# A language is one file in .ci/bots, which builds, tests and starts its bot.
LANGUAGES := $(notdir $(wildcard .ci/bots/*))

# Two at a time: each compiler takes a core, and none needs more of the memory than that allows.
.PHONY: bots
bots: ## Build the sample bots in other languages (one of them: bots-go, bots-java)
	@$(MAKE) --no-print-directory --jobs 2 --output-sync $(LANGUAGES:%=bots-%)

.PHONY: $(LANGUAGES:%=bots-%)
$(LANGUAGES:%=bots-%): bots-%:
	@.ci/bots/$* build

# Their own tests and the checker's, one language after the other: what is checked is late if the
# machine is busy. Then the tests in which they play together.
.PHONY: test-bots
test-bots: $(DEV) bots ## Lint, test and check those bots, and let all play together on a real server
	@set -e; for language in $(LANGUAGES); do $(MAKE) --no-print-directory test-$$language; done
	@$(BIN)/python -m pytest -m languages tests/e2e/test_languages.py $(PYTEST_ARGS)

.PHONY: $(LANGUAGES:%=test-%)
$(LANGUAGES:%=test-%): test-%: $(DEV)
	@echo "the bot in $*: its own tests"
	@.ci/bots/$* test
	@echo "the bot in $*: kitumaija check"
	@$(BIN)/kitumaija check "cmd:.ci/bots/$* run"

##### Speed #####

.PHONY: bench
bench: $(SERVER) ## How fast a server is here, beside a bare echo (ONLY="latency many-8", TURNS=5); some minutes
	@$(BIN)/kitumaija bench run $(addprefix --only ,$(ONLY)) --turns $(TURNS) --out bench.json

.PHONY: bench-smoke
bench-smoke: $(SERVER) ## Whether the benchmark runs, in less than a minute: no figures to keep
	@$(BIN)/kitumaija bench run --smoke $(addprefix --only ,$(SMOKE))

##### Long runs #####

.PHONY: soak
soak: soak-rules soak-crash soak-match soak-memory soak-tamper soak-fuzz soak-dos ## Every long run

.PHONY: soak-rules
soak-rules: $(DEV) ## The rules' promises and a second reading of them over GAMES random games (1000000)
	@$(BIN)/python -m tests.engine.soak_rules --games $(GAMES)

.PHONY: soak-match
soak-match: $(DEV) ## Fair and hostile bots while server, bots and network die, MATCHES (2000) in SECONDS (1200)
	@$(BIN)/python -m tests.e2e.soak_match --matches $(MATCHES) --seconds $(SECONDS) --seed $(SEED)

.PHONY: soak-crash
soak-crash: $(DEV) ## A server dies at every write, then KILLS (100) times in 200 matches: the same table
	@FAILPOINTS_EVERY=1 $(BIN)/python -m pytest -q tests/server/tournament/test_failpoints.py
	@$(BIN)/python -m tests.e2e.soak_crash --kills $(KILLS)

.PHONY: soak-fuzz
soak-fuzz: $(FUZZ) ## Inputs that nobody sends at every door, ten minutes each (FUZZ_SECONDS=600, FUZZ_JOBS=2, SEED=1)
	@.venv-fuzz/bin/python -m tests.fuzz.soak_fuzz --seconds $(FUZZ_SECONDS) --jobs $(FUZZ_JOBS) \
	  --seed $(SEED) $(DOORS)

.PHONY: soak-dos
soak-dos: $(DEV) ## Floods, slow readers and storms against a server on which others play
	@$(BIN)/python -m tests.e2e.soak_dos

.PHONY: soak-connections
soak-connections: $(DEV) ## BOTS (5000) come to a server at once, and none is refused; a thousand vanish
	@$(BIN)/python -m tests.e2e.soak_connections --bots $(BOTS)

.PHONY: soak-idle
soak-idle: $(DEV) ## Bots of the SDK have nothing to do for ten minutes, and keep their connections
	@$(BIN)/python -m tests.e2e.soak_idle

.PHONY: soak-abuse
soak-abuse: $(DEV) ## Bots that flood and callers that never read: the server's memory stays bounded
	@$(BIN)/python -m tests.e2e.soak_abuse

.PHONY: soak-memory
soak-memory: $(DEV) ## Thousands of matches on one server: memory and open streams stay flat
	@$(BIN)/python -m tests.server.soak_memory

.PHONY: soak-clocks
soak-clocks: $(DEV) ## Hundreds of matches of instant bots at 50 ms a decision: nobody is charged a timeout
	@$(BIN)/python -m tests.server.soak_clocks

.PHONY: soak-tamper
soak-tamper: $(DEV) ## A thousand single bytes of an export are changed (CHANGES=1000): each is found, or means nothing
	@$(BIN)/python -m tests.server.soak_tamper --changes $(CHANGES) --seed $(SEED)

.PHONY: collusion
collusion: $(DEV) ## How often colluders are found and innocent bots are named, into server/docs (ONLY="soft" for a part)
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.server.rating.make_collusion --only "$(ONLY)"

.PHONY: calibration
calibration: $(DEV) ## How often the fit's intervals hold, by simulation, into server/docs (ONLY="luce 6/" for a part)
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.server.rating.make_calibration --only "$(ONLY)"

.PHONY: luck
luck: $(DEV) ## What taking luck out saves, by matches of the sample bots, into server/docs (ONLY="gain" for a part)
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.server.rating.make_luck --only "$(ONLY)"

.PHONY: adaptive
adaptive: $(DEV) ## What adaptive tables save against uniform ones, by simulation, into server/docs (ONLY="20/")
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.server.rating.make_adaptive --only "$(ONLY)"

.PHONY: soak-timing
soak-timing: $(DEV) ## What time alone tells of hidden cards: matches in two worlds, and in one twice
	@$(BIN)/python -m tests.server.soak_timing

.PHONY: sample-strength
sample-strength: $(SERVER) ## How often each sample bot beats the one before, at 2 and 4 seats
	@$(BIN)/python .ci/sample_strength.py
