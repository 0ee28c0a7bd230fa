# Targets of the benchmarks. SPDX-License-Identifier: Apache-2.0
.PHONY: bench-aarch64 bench-x86-64 peers

# The libclang that is there with its headers: of several, bindgen takes the newest, which may read those of another.
PEERS_LIBCLANG = lib=$$(ls /usr/lib/llvm-*/lib/libclang.so 2>/dev/null | head -n 1); \
	[ -z "$$lib" ] || export LIBCLANG_PATH=$${LIBCLANG_PATH:-$${lib%/*}}

bench-aarch64: ## AArch64 under QEMU: instructions, modelled cycles (OPTIONS="--only kernels", "--help")
	@tools/setup.sh aarch64
	@python3 bench/aarch64/cost_model.py $(OPTIONS)

bench-x86-64: ## x86-64 step by step: instructions, modelled cycles (OPTIONS="--only kernels --timed", "--help")
	@tools/setup.sh x86-64
	@python3 bench/x86_64/cycles.py $(OPTIONS)

# A build of latkem that is there takes the place of what cargo would build.
PEERS_BUILD = $(if $(BUILD),--config "target.$$(rustc -vV | sed -n 's/host: //p').latkem.rustc-link-search=['$(abspath $(BUILD))/src']" \
	--config "target.$$(rustc -vV | sed -n 's/host: //p').latkem.rustc-link-lib=['static=latkem']")

peers: ## latkem beside rival libraries in one process (needs cargo; FEATURES=all; SETS="ml-kem Saber" for families and sets)
	@tools/setup.sh peers
	@$(if $(FEATURES),tools/setup.sh peers-all || echo "peers: going on with what is here")
	@python3 bindings/rust/package.py --sources
	@$(PEERS_LIBCLANG) && features=$$(python3 bench/peers/features.py $(FEATURES)) && \
		CARGO_TARGET_DIR=build/peers/target $(if $(BUILD),LATKEM_BUILD_DIR=$(abspath $(BUILD))) \
		cargo run --release --manifest-path bench/peers/Cargo.toml $(PEERS_BUILD) $$features -- \
		--json $(or $(JSON),build/peers/peers.json) $(if $(QUICK),--quick) $(if $(SETS),--set $(SETS))
