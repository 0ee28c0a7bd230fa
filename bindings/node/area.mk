# Targets of Node and browsers. SPDX-License-Identifier: Apache-2.0
.PHONY: node test-node node-speed

node: ## Node and browsers: the package in build/node, with an add-on and WebAssembly
	@tools/setup.sh node
	@$(PYTHON) bindings/node/package.py

test-node: ## the tests of the package, in an empty folder (DEEP=1: on every Node here, long forms)
	@tools/setup.sh node
	@$(PYTHON) bindings/node/test.py $(if $(DEEP),--deep)

node-speed: ## latkem for Node beside node:crypto, WebAssembly beside @noble/post-quantum, and the C calls
	@tools/setup.sh node
	@$(PYTHON) bindings/node/speed.py
