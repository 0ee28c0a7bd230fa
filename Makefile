# The commands of latkem. The build itself is CMake's (CMakeLists.txt, CMakePresets.json); these targets install what a
# bare machine lacks, then call it. SPDX-License-Identifier: Apache-2.0

.DEFAULT_GOAL := help
PYTHON := build/venv/bin/python

.PHONY: help build test evaluate bench-aarch64 schedule-aarch64 peers traces fuzz lint format clean

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

build: ## the library and the command, in build/release
	@tools/setup.sh build
	cmake --preset release
	cmake --build --preset release

test: ## all tests in all configurations (20 to 30 minutes on two cores; ONLY=gcc for one step)
	@tools/setup.sh test
	@python3 tools/run_tests.py $(ONLY:%=--only %)

evaluate: ## build, conformance, benchmarks, report in build/evaluation/index.html (QUICK=1: under three minutes)
	@tools/setup.sh evaluate
	@PYTHONPATH=evaluate $(PYTHON) -m latkem_evaluate $(if $(QUICK),--quick)

bench-aarch64: ## AArch64 under QEMU: instructions, modelled cycles (OPTIONS="--only kernels", "--help")
	@tools/setup.sh aarch64
	@python3 bench/aarch64/cost_model.py $(OPTIONS)

schedule-aarch64: ## orders the assembly of dev/aarch64 with SLOTHY (FILES; about 25 minutes)
	@tools/setup.sh schedule
	@$(PYTHON) dev/aarch64/schedule.py $(FILES)

peers: ## latkem beside rival libraries in one process (needs cargo; SETS="ml-kem Saber" for families and sets)
	@tools/setup.sh build
	CARGO_TARGET_DIR=build/peers/target cargo run --release --manifest-path bench/peers/Cargo.toml -- \
		--json build/peers/peers.json $(if $(QUICK),--quick) $(if $(SETS),--set $(SETS))

traces: ## secret-independence by comparing traces, x86-64 (SETS, BACKENDS, COMPILERS; `make test` has two sets)
	@tools/setup.sh test
	@sh tests/ct/run_trace.sh .

fuzz: ## fuzz each target for SECONDS (600)
	@tools/setup.sh test
	tests/fuzz/run.sh $(or $(SECONDS),600)

lint: ## layout, clang-tidy, ruff, shellcheck, layering
	@tools/setup.sh lint
	tools/lint.sh

format: ## lay out the sources
	@tools/setup.sh lint
	tools/lint.sh --fix

clean: ## remove build/
	rm -rf build
