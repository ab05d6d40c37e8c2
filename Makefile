# Everything one does with this repository. `make` alone lists the targets.
# There is one build profile, release: rust-hdl's simulation and the model are used by the tests, too.

FRIT = target/release/frit
WITH_TOOLS = scripts/with-tools

# `make test SETUP=no` goes on with the tools that are there (no network): what needs another one is skipped and says so.
SETUP = yes

.DEFAULT_GOAL = help
.DELETE_ON_ERROR:
.PHONY: help setup build demo demo-tools test test-programs test-all test-cluster check format-check clippy docs book site rtl rtl-check lint-rtl figures deny package wheel wheels bench matrix latin latin-proof exact-proof mutants formal fuzz clean distclean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the simulators and synthesis tools into .tools/ (no root needed; nothing to do the second time)
ifeq ($(SETUP),yes)
	@scripts/setup --quiet
endif

build: ## build target/release/frit
	cargo build --release

demo: ## two exchanges, verified from end to end, with tables and where the files are
	@$(MAKE) --no-print-directory -j2 demo-tools build
	@scripts/demo

# Beside the build: most of it waits for the network.
demo-tools:
	@$(if $(filter yes,$(SETUP)),scripts/setup --demo --quiet || echo "demo: going on with the tools that are there")

# With every tool installed a test that misses one fails; else it says what it did not run.
test: ## the tests: every checker, engine and tool once where it passes and once where it fails
	@$(MAKE) --no-print-directory -j2 setup test-programs
	@if [ -e .tools/complete ] && [ "$(SETUP)" = yes ]; then FRIT_REQUIRE_TOOLS=1; export FRIT_REQUIRE_TOOLS; fi; \
	    set -x; exec $(WITH_TOOLS) scripts/test

test-programs:
	@scripts/test --build

test-all: setup ## all tests: more sizes, long proofs, Bender (builds it the first time, a minute or two), GHDL, LiteX, Slurm where it can be had
	@$(if $(filter yes,$(SETUP)),scripts/setup --bender && scripts/setup --ip && scripts/setup --litex)
	FRIT_REQUIRE_TOOLS=1 FRIT_REQUIRE_BENDER=1 env $$(test ! -d .tools/ip || echo FRIT_REQUIRE_IP=1) \
	    $$(test ! -d .tools/litex || echo FRIT_REQUIRE_LITEX=1) $(WITH_TOOLS) scripts/test --all
	@$(MAKE) test-cluster REQUIRED=no
	@$(MAKE) --no-print-directory wheel ARGS=--all

# make test-cluster REQUIRED=no is content where there can be no Slurm, and says why.
REQUIRED = yes
test-cluster: build ## sweeps on a Slurm of this machine, killed in the middle; installs Slurm by apt-get (needs root; REQUIRED=no: not where it cannot)
	@status=0; scripts/test-cluster --install || status=$$?; \
	    if [ $$status = 3 ] && [ "$(REQUIRED)" = no ]; then echo "make test-cluster: sweeps were not tested on a Slurm"; else exit $$status; fi

check: format-check clippy test docs rtl-check lint-rtl ## all that must hold before a commit: format, clippy, tests, docs, rtl/ unchanged, RTL lint

format-check:
	cargo fmt --all --check

clippy:
	cargo clippy --workspace --all-targets --release -- -D warnings

docs: ## the crates' documentation, any warning being an error
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --workspace

book: ## the handbook in target/book: docs/ with a search and an order, links checked (installs mdBook and lychee the first time, minutes)
	@$(if $(filter yes,$(SETUP)),scripts/setup --book)
	@scripts/book

site: ## the page in a browser in target/site: a folder for any file server, and fritillary.html, which opens from disk (docs/browser.md)
	@scripts/site

rtl: build ## write the emitted designs in rtl/ afresh (scripts/rtl-designs.txt)
	@scripts/emit-rtl

rtl-check: rtl
	@changes=$$(git diff --name-status -- rtl; git ls-files --others --exclude-standard -- rtl) && if [ -n "$$changes" ]; then \
	    echo "$$changes"; \
	    echo "make rtl-check: what is emitted is not what rtl/ has; look at the change (git diff rtl), then git add it" >&2; exit 1; fi

lint-rtl: setup rtl ## lint rtl/ with Verilator, Icarus, Yosys, slang and Verible, after showing that the lint can fail
	@scripts/lint-rtl --self-test
	@scripts/lint-rtl rtl/*/

figures: ## draw docs/images afresh, what frit network and frit view draw (the list is in crates/cli/tests/book_commands.rs)
	UPDATE_EXPECT=1 cargo test --release -p frit-cli --lib --test it drawings

deny: ## licences, sources and known holes of the crates we build on (deny.toml)
	@command -v cargo-deny >/dev/null || { echo "make deny: no cargo-deny; cargo install --locked cargo-deny" >&2; exit 3; }
	cargo deny check

wheel: build ## the Python package (python/): builds the wheel, installs it into a clean environment, tests it there (ARGS="-k api" chooses; ARGS=--all: notebooks and cocotb, too)
	@FRIT=$(CURDIR)/$(FRIT) $(WITH_TOOLS) scripts/wheel $(ARGS)

wheels: ## the wheel for this platform, its manylinux tag checked by auditwheel; .github/workflows/release.yml builds those of the other platforms
	@scripts/wheel --platform

package: ## pack the published crates as the registry would, and build each from its package
	cargo package --workspace --exclude frit-cli --exclude frit-cosim --exclude frit-trial --exclude frit-device --exclude frit-trace --exclude frit-fuzz --exclude frit-bench --exclude frit-python --exclude frit-design --exclude frit-web --allow-dirty

bench: setup ## measure the model: functions (criterion, reports in target/criterion/), whole exchanges beside memcpy, h-relations, worms, the multibutterfly, waveforms, and the Verilated RTL
	cargo bench -p frit-bench --bench exchange
	cargo bench -p frit-model --bench whole
	cargo bench -p frit-model --bench relation
	cargo bench -p frit-model --bench dilated
	cargo bench -p frit-model --bench multibutterfly
	cargo bench -p frit-trace --bench wave
	@if [ -x .tools/bin/verilator ] || command -v verilator >/dev/null; then scripts/bench-rtl; \
	    else echo "make bench: no verilator, so the RTL was not measured (make setup)"; fi

# ARGS passes options on: make matrix ARGS="-j 1 --again"
matrix: setup build ## frit sweep examples/verify_matrix.toml: every planned system under all engines; resumable (docs/sweep.md; ARGS="--again" after a change)
	@$(WITH_TOOLS) target/release/frit sweep examples/verify_matrix.toml -o out $(ARGS)

latin: ## every round of gsen --algorithm latin for every N to 4,098 (docs/latin.md), a few minutes
	cargo test --release -p frit-model --lib -- --ignored latin_exchanges

latin-proof: ## have Coq check the proof of gsen --algorithm latin (docs/latin.v); needs coqc
	@scripts/latin-proof

exact-proof: build ## have an independent checker accept a proof of frit schedule user --algorithm exact (docs/latin.md); installs rate the first time, minutes
	@scripts/exact-proof

mutants: setup build ## mutants of emitted designs that the testbench must find; resumable (ARGS="-n 100 rls4 gsen4", see scripts/mutants --help)
	@scripts/mutants $(ARGS)

fmax: setup build ## place and route the cores around which words stream: the table at the beginning of docs/synth.md (ARGS="--seeds 3 crossbar", hours with all rows)
	@scripts/fmax $(ARGS)

formal: setup build ## proofs of whole designs: the contract of every system to N = 32, netlists, compact forms, streams (ARGS="--quick", see scripts/formal --help)
	@scripts/formal $(ARGS)
	FRIT_REQUIRE_TOOLS=1 $(WITH_TOOLS) cargo test --release -p frit-cosim --test it formal -- --include-ignored

# TARGETS chooses: make fuzz TIME=600 TARGETS="vcd diff"
TIME = 60
TARGETS =
fuzz: build ## fuzz the readers of files, TIME=60 seconds each, guided by coverage (docs/fuzz.md)
	@scripts/fuzz -t $(TIME) $(TARGETS)

clean: ## remove what builds and runs have made (target/, out/), but not the tools
	cargo clean
	rm -rf out

distclean: clean ## and the tools in .tools/, too
	rm -rf .tools
