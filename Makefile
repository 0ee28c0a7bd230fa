# The commands of latkem. The build itself is CMake's (CMakeLists.txt, CMakePresets.json); these targets install what a
# bare machine lacks, then call it. SPDX-License-Identifier: Apache-2.0

.DEFAULT_GOAL := help
PYTHON := build/venv/bin/python

.PHONY: help build test mutants evaluate amalgamation sbom bench-aarch64 schedule-aarch64 peers traces fuzz lint format clean

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

build: ## the library and the command, in build/release
	@tools/setup.sh build
	cmake --preset release
	cmake --build --preset release

test: ## every kernel, call and command in 10 minutes; DEEP=1: all compilers and CPUs, an hour; ONLY=gcc: a step
	@tools/setup.sh $(if $(DEEP),deep,test)
	@python3 tools/run_tests.py $(if $(DEEP),--deep) $(ONLY:%=--only %)

mutants: ## plants faults and shows that tests notice them, a part of DEEP=1 (OPTIONS="--only ntru", "--list")
	@tools/setup.sh deep
	@python3 tools/mutants.py $(OPTIONS)

evaluate: ## build, conformance, benchmarks, report in build/evaluation/index.html (QUICK=1: under three minutes)
	@tools/setup.sh evaluate
	@PYTHONPATH=evaluate $(PYTHON) -m latkem_evaluate $(if $(QUICK),--quick)

amalgamation: ## the library as one C file and one header, in build/amalgamation (SETS="ML-KEM-768;Saber")
	@tools/setup.sh build
	@python3 tools/amalgamate.py $(if $(SETS),--sets "$(SETS)") build/amalgamation

sbom: ## a bill of materials (CycloneDX 1.5), in build/latkem.cdx.json
	@python3 tools/sbom.py build/latkem.cdx.json

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

traces: ## secret-independence by comparing traces, x86-64 (SETS, BACKENDS, COMPILERS; `make test` has all sets)
	@tools/setup.sh deep
	@sh tests/ct/run_trace.sh .

fuzz: ## fuzz each target for SECONDS (600)
	@tools/setup.sh deep
	tests/fuzz/run.sh $(or $(SECONDS),600)

lint: ## layout, clang-tidy, ruff, shellcheck, layering; DEEP=1: clang-tidy over everything, not what changed
	@tools/setup.sh lint
	tools/lint.sh $(if $(DEEP),--deep)

format: ## lay out the sources
	@tools/setup.sh lint
	tools/lint.sh --fix

clean: ## remove build/
	rm -rf build
