# A menu over cargo. `make` alone prints it.

CARGO ?= cargo
PREFIX ?= /usr/local
# Tests do not depend on what `contraflow calibrate` found on this machine.
export CONTRAFLOW_WEIGHTS :=
TARGET := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
CONTRAFLOW := $(abspath $(TARGET))/release/contraflow

.PHONY: menu build demo test bless lint legacy-tests legacy-report laws real-heads gsw-heads disk-gate valgrind bench bench-solver bench-plans install setup

menu:
	@echo "make build         build target/release/contraflow"
	@echo "make demo          differentiate a shallow-water model, prove it, draw its sensitivities"
	@echo "make test          all tests, real codes among them (fetched by package name)"
	@echo "make bless         rewrite the expectations of snapshot tests (review the diff)"
	@echo "make lint          format and clippy, without changing anything"
	@echo "make legacy-tests  only the end-to-end tests: real codes, kernels, bad input"
	@echo "make real-heads    the slower heads of real codes (minutes)"
	@echo "make gsw-heads     every function of numbers of the Gibbs sea water toolbox (minutes)"
	@echo "make disk-gate     a state of 100 MB over 1,000 steps in less than 1 GB (minutes, 4 GB on disk)"
	@echo "make valgrind      derivatives in C under valgrind (needs valgrind)"
	@echo "make legacy-report how much of whole codes is understood (SOURCES=…, see legacy-tests/README.md)"
	@echo "make laws          the adjoint's laws on thousands of random programs (minutes)"
	@echo "make bench         speed and memory of the kernels' gradients, against hand-written ones"
	@echo "make bench-solver  seconds to find plans for large programs"
	@echo "make bench-plans   time and memory of gradients planned for several memory limits"
	@echo "make install       install contraflow into $(PREFIX)/bin (PREFIX=… to change)"

setup:
	@tools/setup.sh

build: setup
	$(CARGO) build --release -p contraflow

demo: build
	@$(MAKE) --no-print-directory -C examples/shallow-water demo CONTRAFLOW=$(CONTRAFLOW)

test: setup
	$(CARGO) test --workspace

bless: setup
	UPDATE_EXPECT=1 $(CARGO) test --workspace

lint: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

legacy-tests: setup
	$(CARGO) test -p contraflow-legacy-tests

real-heads: setup
	$(CARGO) test --release -p contraflow-legacy-tests -- --ignored --skip all_functions_of_numbers --skip under_valgrind

disk-gate: setup
	$(CARGO) test --release -p contraflow-legacy-tests --test time a_large_state_over_many_steps -- --ignored --nocapture

gsw-heads: setup
	$(CARGO) test --release -p contraflow-legacy-tests --test gsw_heads -- --ignored --nocapture

IN_C = addresses adbench c_text callbacks cases constructs jumps memory passing places regressions state types
valgrind: setup
	$(CARGO) test -p contraflow-legacy-tests --test valgrind -- --ignored
	PROVE_UNDER="valgrind -q --leak-check=full --error-exitcode=9" \
	  $(CARGO) test -p contraflow-legacy-tests $(addprefix --test ,$(IN_C))

legacy-report: setup
	$(CARGO) run --release -p contraflow-legacy-tests --bin legacy_report -- $(if $(SOURCES),--together $(SOURCES),--all) $(if $(C),--c) \
	  $(addprefix --with ,$(WITH)) $(foreach define,$(DEFINES),-D '$(define)') \
	  $(addprefix -I ,$(INCLUDES)) $(addprefix --headers ,$(HEADERS))

laws: setup
	$(CARGO) test -p contraflow-ad --test laws -- --include-ignored

bench: setup
	$(CARGO) run --release -p contraflow-bench -- gradients

bench-solver: setup
	$(CARGO) run --release -p contraflow-bench -- solver

bench-plans: setup
	$(CARGO) run --release -p contraflow-bench -- plans

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(CONTRAFLOW) $(DESTDIR)$(PREFIX)/bin/contraflow
