# Targets of the proofs. SPDX-License-Identifier: Apache-2.0
.PHONY: proofs proofs-c proofs-check proofs-faults proofs-report

proofs: ## proves kernels and operations in machine code, table in build/proofs/table.txt (ONLY="ntt avx512", QUICK=1, BUILD=gcc; KERNELS=1: those of the rows too; RESUME=1: goes on)
	@tools/setup.sh proofs
	PYTHONPATH=. $(PYTHON) -m proofs $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) $(if $(BUILD),--build $(BUILD)) \
		$(if $(KERNELS),--with-kernels) $(if $(RESUME),--resume)

proofs-check: ## compares every form of instruction of the builds with a processor, and keeps the record
	@tools/setup.sh proofs
	PYTHONPATH=. $(PYTHON) -m proofs.machine.check --keep

proofs-faults: ## plants faults and shows that the theorems refuse them (ONLY="q3329.ntt")
	@tools/setup.sh proofs
	PYTHONPATH=. $(PYTHON) -m proofs.faults $(if $(ONLY),--only $(ONLY)) $(if $(BUILD),--build $(BUILD))

proofs-report: ## the report, with the table of proofs that is there now
	@tools/setup.sh evaluate
	@test -f build/evaluation/results.json || $(MAKE) --no-print-directory evaluate QUICK=1
	@PYTHONPATH=evaluate $(PYTHON) -m latkem_evaluate --from build/evaluation/results.json --kept

proofs-c: ## proves what lies above the kernels, in C (ONLY="api cbmc", QUICK=1; FAULTS=1: sees each proof fail)
	@tools/setup.sh proofs-c
	PYTHONPATH=. $(PYTHON) -m proofs.c $(if $(QUICK),--quick) $(if $(FAULTS),--faults) $(if $(ONLY),--only $(ONLY))
