# Targets of the tests beside `make test`. SPDX-License-Identifier: Apache-2.0
.PHONY: mutants traces fuzz

mutants: ## plants faults and shows that tests notice them, a part of DEEP=1 (OPTIONS="--only ntru", "--list")
	@tools/setup.sh deep
	@python3 tools/mutants.py $(OPTIONS)

traces: ## secret-independence by comparing traces, x86-64 (SETS, BACKENDS, COMPILERS; `make test` has all sets)
	@tools/setup.sh deep
	@sh tests/ct/run_trace.sh .

fuzz: ## fuzz each target for SECONDS (600)
	@tools/setup.sh deep
	tests/fuzz/run.sh $(or $(SECONDS),600)
