# Targets of the benchmarks. SPDX-License-Identifier: Apache-2.0
.PHONY: bench-aarch64 peers

# The libclang that is there with its headers: of several, bindgen takes the newest, which may read those of another.
PEERS_LIBCLANG = lib=$$(ls /usr/lib/llvm-*/lib/libclang.so 2>/dev/null | head -n 1); \
	[ -z "$$lib" ] || export LIBCLANG_PATH=$${LIBCLANG_PATH:-$${lib%/*}}

bench-aarch64: ## AArch64 under QEMU: instructions, modelled cycles (OPTIONS="--only kernels", "--help")
	@tools/setup.sh aarch64
	@python3 bench/aarch64/cost_model.py $(OPTIONS)

peers: ## latkem beside rival libraries in one process (needs cargo; FEATURES=all; SETS="ml-kem Saber" for families and sets)
	@tools/setup.sh $(if $(FEATURES),peers-all,peers)
	@$(PEERS_LIBCLANG) && CARGO_TARGET_DIR=build/peers/target cargo run --release --manifest-path bench/peers/Cargo.toml \
		$(if $(filter all,$(FEATURES)),--all-features,$(if $(FEATURES),--features "$(FEATURES)")) -- \
		--json $(or $(JSON),build/peers/peers.json) $(if $(QUICK),--quick) $(if $(SETS),--set $(SETS))
