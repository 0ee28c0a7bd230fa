# Targets of Python. SPDX-License-Identifier: Apache-2.0
.PHONY: python test-python python-speed

python: ## Python: the wheel and the sdist in build/python, for Python 3.11 and newer
	@tools/setup.sh python
	@$(PYTHON) bindings/python/make_wheel.py

test-python: ## the tests of the wheel, in an empty environment (DEEP=1: on every Python here, long forms)
	@tools/setup.sh python
	@$(PYTHON) bindings/python/tests/run.py $(if $(DEEP),--deep)

python-speed: ## latkem for Python beside cryptography and the C calls
	@tools/setup.sh python
	@$(PYTHON) bindings/python/tests/speed.py
