# Targets of the hardware cores. SPDX-License-Identifier: Apache-2.0
.PHONY: hw-lint hw-test hw-soak hw-area hw-gates hw-fmax hw-formal hw-coverage hw-mutants hw-netlist hw-report hw-verilog

# The core that is simulated by hand (hw/cores.toml).
CORE ?= mlkem

# Builds the program that follows.
HW_BUILD = cmake -G Ninja -S . -B build/hw -DLATKEM_BUILD_HW=ON -DLATKEM_BUILD_CLI=OFF >build/hw.log && \
	cmake --build build/hw --target

hw-lint: ## the cores: Verilator's warnings, the style of the sources
	@tools/setup.sh hw
	@python3 hw/lint.py

hw-test: ## simulates the cores and their units (DEEP=1: with all that takes long)
	@tools/setup.sh $(if $(DEEP),deep,hw)
	@python3 tools/run_tests.py --area hw $(if $(DEEP),--deep)

hw-soak: ## random queues of requests to the simulated core (CORE=mlkem OPTIONS="--seconds 3600 --seed 7")
	@tools/setup.sh hw
	@$(HW_BUILD) $(CORE)_soak >>build/hw.log
	@build/hw/hw/dv/core/$(CORE)_soak $(OPTIONS)

hw-area: ## LUTs, registers and memories by synthesis for xc7, in build/hw (OPTIONS="--list", "--only mlkem", "--help")
	@tools/setup.sh hw
	@$(PYTHON) hw/syn/area.py $(OPTIONS)

hw-gates: ## gate equivalents and the path without wires in a 0.18 um library, in build/hw (OPTIONS="--only mlkem", "--help")
	@tools/setup.sh hw-gates
	@$(PYTHON) hw/syn/gates.py $(OPTIONS)

hw-fmax: ## clock on ECP5 and Nexus by place and route, in build/hw: hours (OPTIONS="--list", "--seeds 1", "--help")
	@tools/setup.sh hw-fmax
	@$(PYTHON) hw/syn/fmax.py $(OPTIONS)

hw-formal: ## proves the cores' reducers, address maps and streams (OPTIONS="--list", "--faults")
	@tools/setup.sh hw
	@$(PYTHON) hw/dv/formal/prove.py $(OPTIONS)

hw-report: ## measures the cores afresh, keeps the figures, draws the report with them: hours (OPTIONS="--only mlkem")
	@tools/setup.sh hw-fmax
	@tools/setup.sh hw-gates
	@tools/setup.sh evaluate
	@$(HW_BUILD) hw/dv/core/all >>build/hw.log
	@$(PYTHON) hw/syn/cycles.py --programs build/hw/hw/dv/core
	@$(PYTHON) hw/syn/area.py --keep $(OPTIONS)
	@$(PYTHON) hw/syn/gates.py --keep $(OPTIONS)
	@$(PYTHON) hw/syn/fmax.py --keep $(OPTIONS)
	@test -f build/evaluation/results.json || $(MAKE) --no-print-directory evaluate QUICK=1
	@PYTHONPATH=evaluate $(PYTHON) -m latkem_evaluate --from build/evaluation/results.json --kept

hw-coverage: ## what the simulations reach: lines and branches (OPTIONS="--only ntru", "--toggles", "--help")
	@tools/setup.sh hw
	@$(PYTHON) hw/dv/coverage.py $(OPTIONS)

hw-mutants: ## flips operators and constants of the cores, and shows that a test fails (OPTIONS="--units", "--help")
	@tools/setup.sh hw
	@$(PYTHON) hw/dv/mutants.py $(OPTIONS)

hw-netlist: ## synthesises the cores and simulates the netlists (OPTIONS=--fault: sees that fail for a wrong LUT)
	@tools/setup.sh hw
	@$(PYTHON) hw/dv/netlist/netlist.py $(OPTIONS)

hw-verilog: ## each core, and its registers, as a file of plain Verilog, build/hw/mlkem.v (OPTIONS="--only mlkem-768")
	@tools/setup.sh hw
	@$(PYTHON) hw/syn/verilog.py $(OPTIONS)
