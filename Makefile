# The commands of latkem. The build itself is CMake's (CMakeLists.txt, CMakePresets.json); these targets install what a
# bare machine lacks, then call it. Areas add their own in area.mk. SPDX-License-Identifier: Apache-2.0

.DEFAULT_GOAL := help
PYTHON := build/venv/bin/python

.PHONY: help build test evaluate amalgamation sbom lint format clean

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

build: ## the library and the command, in build/release
	@tools/setup.sh build
	cmake --preset release
	cmake --build --preset release

test: ## every kernel, call and command in 12 minutes; DEEP=1: all compilers, CPUs, hours; AREA=cli, ONLY=gcc: a part
	@tools/setup.sh $(if $(DEEP),deep,test)
	@python3 tools/run_tests.py $(if $(DEEP),--deep) $(AREA:%=--area %) $(ONLY:%=--only %)

evaluate: ## build, conformance, benchmarks, report in build/evaluation/index.html (QUICK=1: three minutes)
	@began=$$(date +%s) && tools/setup.sh evaluate && \
		PYTHONPATH=evaluate $(PYTHON) -m latkem_evaluate --began $$began $(if $(QUICK),--quick)

amalgamation: ## the library as one C file and one header, in build/amalgamation (SETS="ML-KEM-768;Saber"; SMALL=1)
	@tools/setup.sh build
	@python3 tools/amalgamate.py $(if $(SETS),--sets "$(SETS)") $(if $(SMALL),--small) build/amalgamation

sbom: ## a bill of materials (CycloneDX 1.5), in build/latkem.cdx.json
	@tools/setup.sh sbom
	@python3 tools/sbom.py build/latkem.cdx.json

lint: ## layout, clang-tidy, ruff, mypy, shellcheck, layering, prose; DEEP=1: clang-tidy over everything; AREA=cli: a part
	@tools/setup.sh lint
	tools/lint.sh $(if $(DEEP),--deep) $(AREA:%=--area %)

format: ## lay out the sources
	@tools/setup.sh lint
	tools/lint.sh --fix

clean: ## remove build/
	rm -rf build

include $(wildcard */area.mk bindings/*/area.mk)
