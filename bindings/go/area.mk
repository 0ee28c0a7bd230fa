# Targets of Go. SPDX-License-Identifier: Apache-2.0
.PHONY: go test-go go-speed

go: ## Go: the module latkem.org/latkem, in build/go/proxy
	@tools/setup.sh go
	@python3 bindings/go/package.py

test-go: ## the tests of the module (DEEP=1: also the race detector, clang, AArch64, speed)
	@tools/setup.sh go
	@python3 bindings/go/test.py $(if $(DEEP),--deep)

go-speed: ## latkem for Go beside crypto/mlkem and the C calls
	@tools/setup.sh go
	@python3 bindings/go/speed.py
