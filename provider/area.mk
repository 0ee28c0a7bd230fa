# Targets of the OpenSSL provider. SPDX-License-Identifier: Apache-2.0
.PHONY: provider test-provider

provider: ## latkemprovider.so for OpenSSL 3 and 4, in build/release/provider, with a sample configuration beside it
	@tools/setup.sh build
	cmake --preset release -DLATKEM_BUILD_PROVIDER=ON
	cmake --build --preset release --target latkem_provider

test-provider: ## the provider's tests (DEEP=1: floods, valgrind, every OpenSSL)
	@tools/setup.sh $(if $(DEEP),deep,test)
	@python3 tools/run_tests.py --area provider $(if $(DEEP),--deep)
