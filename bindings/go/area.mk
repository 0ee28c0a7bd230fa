# Targets of Go. SPDX-License-Identifier: Apache-2.0
.PHONY: go test-go

go: ## Go: the module latkem.org/latkem, in build/go/proxy
	@tools/setup.sh go
	@python3 bindings/go/package.py

test-go: ## the tests of the module (DEEP=1: also the race detector, clang, AArch64)
	@tools/setup.sh go
	@python3 bindings/go/test.py $(if $(DEEP),--deep)
