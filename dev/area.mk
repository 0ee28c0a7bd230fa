# SPDX-License-Identifier: Apache-2.0
.PHONY: schedule-aarch64

schedule-aarch64: ## orders the assembly of dev/aarch64 with SLOTHY (FILES; about 25 minutes)
	@tools/setup.sh schedule
	@$(PYTHON) dev/aarch64/schedule.py $(FILES)
